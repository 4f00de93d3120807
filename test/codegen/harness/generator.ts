/** What the run has to know of a generator: how a client is made with it, and what was found out about that client. */

/** A program that must be on the machine, since no package manager of the run brings it. */
export type Tool = "cargo" | "go" | "java" | "javac" | "mvn" | "npm" | "python3";

/**
 * Something that a client does not do, in a sentence, and what shows it, so that the sentence cannot outlive its cause: what
 * stands (`has`) or does not stand (`lacks`) in a file or folder below the project, or a command that fails.
 */
export type Limit = { said: string } & ({ seenIn: string; has?: RegExp; lacks?: RegExp } | { fails: string });

/** A generator with the language it writes. */
export type Generator = {
  /** Its folder below `generators/`, and what `--only` takes. */
  id: string;
  name: string;
  language: "Go" | "Java" | "Kotlin" | "Python" | "Rust" | "TypeScript";
  /** Which document the client is made from: the contract, or the one brought down to 3.0. */
  document: "3.1" | "3.0";
  /** The one place where its version is pinned, below `generators/`; the pattern's first group is the version. */
  version: { file: string; pattern: RegExp };
  needs: readonly Tool[];
  /** A tool that several generators share, from `generators/NAME/`. */
  shared?: "openapi-generator";
  /** It does not run on Node 20. */
  newerNode?: boolean;
  /** Shell commands, run in a copy of the project folder in which both documents lie as well. */
  commands: {
    /** Fetches what is pinned, where that can be done before the client is there. */
    install?: string;
    /** Makes the client: what a user would type. */
    generate: string;
    compile: string;
    /** Runs the scenario. */
    run: string;
  };
  /** The folder below the project into which the client is generated. */
  generated: string;
  /** What there is of the notification. The program compiles with the types named, and reads one with them. */
  notification: string;
  limits: readonly Limit[];
};

/** What the documents are called, in `generated/` and in the copy of a project. */
export const documents = { "3.1": "openapi.json", "3.0": "openapi-3.0.json" } as const;
