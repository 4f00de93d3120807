/** What the run has to know of a generator: how a client is made with it, and what was found out about that client. */

/** A program that must be on the machine, since no package manager of the run brings it. */
export type Tool = "cargo" | "go" | "java" | "javac" | "mvn" | "npm" | "python3";

/** Something that a client does not do, and where that can be seen in what was generated, so that it cannot outlive its cause. */
export type Limit = {
  /** One sentence. */
  said: string;
  /** A file below the project, and what stands in it (`has`) or nowhere in it (`lacks`) as long as the limit is there. */
  seenIn: string;
  has?: RegExp;
  lacks?: RegExp;
};

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
  /** Shell commands, run in a copy of the project folder, beside which the document lies as `openapi.json`. */
  commands: {
    /** Fetches what is pinned. */
    install: string;
    /** Makes the client: what a user would type. */
    generate: string;
    compile: string;
    /** Runs the scenario. */
    run: string;
  };
  /** The folder below the project into which the client is generated. */
  generated: string;
  /** What there is of the notification, in a sentence; the scenario decodes one with the type named. */
  notification: string;
  limits: readonly Limit[];
};

/** What the document of each version is called in `generated/`, and in the project beside the generator. */
export const documents = { "3.1": "openapi.json", "3.0": "openapi-3.0.json" } as const;
