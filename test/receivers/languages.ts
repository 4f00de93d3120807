/** The receivers of `examples/receivers/`, by their folders. */
import type { ReceiverProgram, Tool } from "./harness/receiver.ts";

const java: Tool = ["java", "--version"];
const maven: Tool = ["mvn", "--version"];
const standardLibrary = "its standard library";

export const languages: Readonly<Record<string, ReceiverProgram>> = {
  python: {
    name: "Python",
    file: "receiver.py",
    needs: [["python3", "--version"]],
    verifiedBy: "standardwebhooks from PyPI",
    env: { PIP_TARGET: "packages", PYTHONPATH: "packages", PYTHONDONTWRITEBYTECODE: "1" },
  },
  go: {
    name: "Go",
    file: "main.go",
    needs: [["go", "version"]],
    verifiedBy: "standard-webhooks/libraries/go",
  },
  java: { name: "Java", file: "Receiver.java", needs: [java, maven], verifiedBy: "com.standardwebhooks from Maven" },
  kotlin: { name: "Kotlin", file: "Receiver.kt", needs: [java, maven], verifiedBy: "com.standardwebhooks from Maven" },
  rust: {
    name: "Rust",
    file: "src/main.rs",
    needs: [["cargo", "--version"]],
    verifiedBy: "standardwebhooks from crates.io",
    env: { CARGO_PROFILE_DEV_DEBUG: "false" },
  },
  ruby: { name: "Ruby", file: "receiver.rb", needs: [["ruby", "--version"]], verifiedBy: standardLibrary },
  php: {
    name: "PHP",
    file: "receiver.php",
    needs: [["php", "--version"]],
    verifiedBy: standardLibrary,
    ready: /Development Server .* started/,
  },
  csharp: {
    name: "C#",
    file: "Receiver.cs",
    needs: [
      ["mono", "--version"],
      ["mcs", "--version"],
    ],
    verifiedBy: standardLibrary,
  },
};
