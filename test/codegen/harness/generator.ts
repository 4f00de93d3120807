/** What the run has to know of a generator: how a client is made with it, and what was found out about that client. */
import type { OpenapiGeneratorOptions } from "../../../scripts/maintain/clients/openapi-generator.ts";

/** A program that must be on the machine, since no package manager of the run brings it. */
export type Tool = "cargo" | "go" | "java" | "javac" | "mcs" | "mono" | "mvn" | "npm" | "php" | "python3" | "ruby";

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
  language: "C#" | "Go" | "Java" | "Kotlin" | "PHP" | "Python" | "Ruby" | "Rust" | "Swift" | "TypeScript";
  /** Which document the client is made from: the published one, or the one brought down to 3.0. */
  document: "3.1" | "3.0";
  /** The one place where its version is pinned, a path or one below `generators/`; the pattern's first group is the version. */
  version: { file: string; pattern: RegExp };
  needs: readonly Tool[];
  /** Packages that several generators share, installed once: from `generators/npm/` or `generators/python/`. */
  packages?: "npm" | "python";
  /** What openapi-generator makes for it, by folder. One JVM makes everything for all languages. */
  made?: Readonly<Record<string, OpenapiGeneratorOptions>>;
  /** It does not run on Node 20. */
  newerNode?: boolean;
  /** What holds the client and its program to the language and to each other. */
  checkedBy: string;
  /** Shell commands, run in a copy of the project folder in which both documents lie as well. */
  commands: {
    /** Fetches what is pinned, where that can be done before the client is there. */
    install?: string;
    /** Makes the client: what a user would type. */
    generate: string;
    compile: string;
    /** Runs the scenario; absent where the language cannot be run here. */
    run?: string;
  };
  /** The folder below the project into which the client is generated. */
  generated: string;
  /** It makes types only, and the program sends the requests. */
  typesOnly?: true;
  /** The types of the notification. The program compiles with both, and reads a notification with them. */
  notification: { payload: string; headers: string };
  limits: readonly Limit[];
};

/** What the documents are called, in `generated/` and in the copy of a project. */
export const documents = { "3.1": "openapi.json", "3.0": "openapi-3.0.json" } as const;
