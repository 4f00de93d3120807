/** Faults that conformance does not find, each with the reason. A test fails when one that is not listed is missed, and when one that is listed is found. */
export const missed: Readonly<Record<string, string>> = {
  "explanation-newest-first":
    "A transaction has several notifications only after a reorganisation or with the finality both, for which a chain must have a finality.",
};
