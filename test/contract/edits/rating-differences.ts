/** Why Redocly's diff asks for another version than ours after an edit of the contract. Each edit with another rating has one reason. */
import type { Difference } from "./differences.ts";

/** All of them. */
export const ratingDifferences: readonly Difference[] = [
  {
    right: "ours",
    why: "The document allows or promises more than before, which is what a minor version is for. Redocly calls each change that breaks nobody a patch.",
    edits: [
      "an optional field of the payload becomes required",
      "a field of the payload can no longer be null",
      "a limit is added to the payload",
      "a required field of a request becomes optional",
      "a field of a request can be null",
      "more items are accepted",
      "a pattern that a request must match is dropped",
      "a request may hold other fields",
      "a body may be left out",
      "a parameter's maximum rises",
      "a parameter may be longer",
      "an optional field of an answer becomes required",
      "an answer has fewer items",
      "an operation is deprecated",
      "no scope is asked for any more",
      "an operation is opened",
    ],
  },
  {
    right: "judgement",
    why: "Readers meet one value less. Nobody breaks until code is generated again, which a patch should not ask for.",
    edits: [
      "a value is removed from an enumeration of the payload",
      "a value is removed from an enumeration of answers",
    ],
  },
  {
    right: "judgement",
    why: "Readers should pass over what they do not know, and not all do. We warn and ask for a minor version; Redocly refuses.",
    edits: [
      "a value is added to an enumeration of the payload",
      "the payload may hold other fields",
      "a value is added to an enumeration of answers",
      "a value is added to an enumeration of requests and answers",
      "a text of requests and answers may be longer, which only may break who reads it",
      "an error's status is removed",
    ],
  },
  {
    right: "ours",
    why: "Receivers and clients rely on it: the body, the header, the address or its form is no longer certain. Redocly compares this by its words only.",
    edits: [
      "the payload need not be there",
      "a header is removed from the callback",
      "a header of the callback becomes optional",
      "the callback goes to another address",
      "an answer's body has no schema any more",
      "a header of an answer becomes optional",
      "a server has another default address",
    ],
  },
  {
    right: "ours",
    why: "Old requests get another result: they are refused, need a key, or mean something else where a parameter is left out.",
    edits: [
      "a request must fit a keyword that the comparison does not know",
      "a parameter has another default",
      "an open operation asks for a key, by the document's rule",
    ],
  },
  {
    right: "ours",
    why: "A client that waits for the one status of success takes another for a failure.",
    edits: ["a success can have another status too"],
  },
  {
    right: "ours",
    why: "The document says the same in other words. Redocly compares the words.",
    edits: [
      "a header of the callback is written in other letters",
      "the callback's item is written out instead of referred to",
      "a parameter moves from a path to its operation",
      "a reference gets a wrapper",
      "a list of one value is written as a constant",
      "a type is written as a list of one",
      "lists have another order",
    ],
  },
  {
    right: "ours",
    why: "People read examples, and mocks answer with them: a patch. Redocly does not look behind the reference.",
    edits: ["an example of an answer is changed"],
  },
];
