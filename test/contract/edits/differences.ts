/**
 * Who is right about an edit of the shop's document of which Redocly's diff or oasdiff thinks otherwise, and why. Each such edit has one
 * reason. A test finds the edits; `node --import tsx test/contract/other-tools.ts` prints the reason of each.
 */

/** What is said of several edits. `right` is "ours", or "judgement" where both answers can be defended. */
export type Difference = { right: "ours" | "judgement"; why: string; edits: readonly string[] };

/** Ours is breaking, and another tool lets it pass or warns. */
const missed: readonly Difference[] = [
  {
    right: "ours",
    why: "Whoever leaves the value out gets another behaviour, on the day of the release, without a change of the client.",
    edits: [
      "a default is added to an optional field",
      "a default is added to a field by its shared schema",
      "a default of a field changes",
      "a default of a field is dropped",
      "a default is added to a parameter",
    ],
  },
  {
    right: "ours",
    why: "A server that closes its objects refuses the field, and another one drops what the client meant. Neither was announced with a day.",
    edits: [
      "a field is removed without announcement",
      "a deprecated field without a sunset date is removed",
      "a field is only read",
    ],
  },
  {
    right: "ours",
    why: "A body that was valid is refused. The others do not compare this keyword, or not what it holds.",
    edits: [
      "no other fields may be sent",
      "other fields must be texts",
      "a dependency is added",
      "a dependency asks for one more",
      "a condition asks for more",
      "values are excluded",
      "a parameter as JSON is restricted",
    ],
  },
  {
    right: "ours",
    why: "The server looks for the value in one place only. It is gone from there, whether or not it was required.",
    edits: ["a parameter moves to a header", "a parameter moves to a cookie"],
  },
  {
    right: "ours",
    why: "The same value is other bytes on the wire, which the server reads as another value.",
    edits: [
      "a list is written otherwise, by explode",
      "a list is written otherwise, by style",
      "a path's style changes",
      "a parameter as JSON is written as a plain value",
    ],
  },
  {
    right: "ours",
    why: "Clients branch on the status and parse by its body. They get a pair of both that the old document ruled out.",
    edits: ["a status is added that a range had with another body", "another success is added"],
  },
  {
    right: "judgement",
    why: "A client must expect an optional field to be absent, and yet those who read it lose it for good. A gate should ask.",
    edits: [
      "a field is removed",
      "a field deep in a schema that holds itself is removed",
      "a member of allOf loses a field",
      "a member of allOf is removed",
      "a field is only written",
    ],
  },
  {
    right: "ours",
    why: "The value by which a reader chooses the branch changes. It takes one branch for another, or knows none.",
    edits: [
      "a branch's value is renamed in the mapping",
      "a mapping is dropped, so that the schema's name is the value",
      "a union is distinguished by another field",
    ],
  },
  {
    right: "ours",
    why: "Readers get values that the old document ruled out. The others do not compare this keyword, or read it as one of a request.",
    edits: [
      "what is excluded may come",
      "fields by pattern get another type",
      "fields by pattern are free",
      "a header of an answer need not be there",
    ],
  },
  {
    right: "ours",
    why: "Until the day that was announced, callers may rely on it. The day must not come earlier.",
    edits: ["an operation is removed before its sunset date", "a sunset date comes earlier"],
  },
  {
    right: "judgement",
    why: "No request changes. Code that is generated again has another name for the call, and every line that calls it must change.",
    edits: ["an operationId is removed"],
  },
  {
    right: "ours",
    why: "A client that fetches its token there, or asks for that scope, gets none, and so no call succeeds.",
    edits: ["the token comes from elsewhere", "a scope no longer exists"],
  },
  {
    right: "ours",
    why: "Clients call the address that they were given. Nobody answers there, or another place does.",
    edits: ["a region is no longer served", "the default region is another"],
  },
  {
    right: "ours",
    why: "The service sends a notification, so its receiver reads it: less in it, or a wider value, breaks the receiver. oasdiff judges it as a request or a part of it not at all, Redocly not its headers.",
    edits: [
      "a field of a notification is removed",
      "a required field of a notification becomes optional",
      "a maximum of a notification is raised",
      "a format of a callback's body is dropped",
      "a notification comes as a further media type",
      "a notification comes as another media type",
      "a notification need not have a body",
      "a header of a notification is removed",
      "a header of a notification need not be there",
    ],
  },
  {
    right: "ours",
    why: "A receiver's answer is its request to the service. What it answers today is no longer understood, so it gets the notification again.",
    edits: [
      "what a receiver answers loses its meaning",
      "a receiver must answer with a body",
      "a callback's answer loses its meaning",
    ],
  },
  {
    right: "ours",
    why: "Whoever waits for the call at the address waits for ever. oasdiff 1.36 does not compare callbacks, Redocly not their addresses.",
    edits: ["a callback is removed", "a callback goes to another address"],
  },
];

/** Ours is harmless, and another tool refuses it or warns. */
const tooStrict: readonly Difference[] = [
  {
    right: "ours",
    why: "The document says the same as before in other words: the same values are allowed, in the same bytes.",
    edits: [
      "a minimum of nothing is written out",
      "an integer's minimum is written as an exclusive one",
      "a text's explode changes, which writes nothing otherwise",
      "the style that holds anyway is written out",
      "a media type is written with a space",
      "allOf is written as one schema",
      "a server's address ends in a slash",
    ],
  },
  {
    right: "ours",
    why: "The server takes what it took, and more. No client must change.",
    edits: [
      "a price may be a multiple of a smaller step",
      "a price may be zero",
      "a value becomes a union with itself",
      "an empty value is allowed",
      "reserved characters may be sent",
      "a range of media types takes the old one, too",
      "another way in is opened",
    ],
  },
  {
    right: "ours",
    why: "OpenAPI says that a header parameter named Accept, Content-Type or Authorization is ignored.",
    edits: ["an Accept header is described, which OpenAPI passes over"],
  },
  {
    right: "ours",
    why: "It was deprecated, its last day was announced in the document, and that day is over. Redocly knows no sunset dates.",
    edits: ["a parameter is removed after its sunset date", "an operation is removed after its sunset header's date"],
  },
  {
    right: "ours",
    why: "Readers get less than the old document allowed, and so nothing that they cannot read.",
    edits: ["more is excluded", "a 429 is removed, where a range still has it"],
  },
  {
    right: "ours",
    why: "The service sends the notification: it promises more, and its receiver gets nothing that was ruled out. oasdiff judges it as a request.",
    edits: [
      "an optional field of a notification becomes required",
      "a maximum of a notification is lowered",
      "a header is added to a notification",
      "a header of a notification is restricted",
    ],
  },
];

/** Ours is a warning: somebody must look, and most need not change. */
const warned: readonly Difference[] = [
  {
    right: "judgement",
    why: "Whether one pattern, condition, encoding, overlapping union or unknown keyword allows more than another cannot be decided in general. To refuse each would teach people to ignore the gate, and to pass it would hide a break.",
    edits: [
      "a pattern changes",
      "a condition changes",
      "a keyword that nobody knows is added",
      "a form's file may be of another kind",
      "oneOf becomes anyOf",
    ],
  },
  {
    right: "judgement",
    why: "Clients get one error less, which breaks no call. Code that names the removed status no longer compiles when it is generated again.",
    edits: [
      "a 409 is removed, and nothing else has it",
      "a range of errors is removed, where default has the rest",
      "default is removed",
    ],
  },
  {
    right: "ours",
    why: "An old client sends within the old bound, and reads back what it wrote. Only another client's longer text can reach it.",
    edits: ["a bound of a field that is sent and read is raised"],
  },
  {
    right: "judgement",
    why: "Readers should pass over a value that they do not know, and generated code often does not.",
    edits: [
      "a value is added to a list",
      "a value is added to a list of a notification",
      "a branch of a union is added that is read",
    ],
  },
  {
    right: "ours",
    why: "Which values are allowed stays the same. Generated code gets another type.",
    edits: ["a discriminator is dropped"],
  },
  {
    right: "ours",
    why: "A link tells generated code how to get on. No request or answer changes.",
    edits: ["a link is removed", "a link leads elsewhere"],
  },
  {
    right: "judgement",
    why: "A date that cannot be read announces nothing, so nobody is misled about a day. It is a fault of the document, and no call breaks.",
    edits: ["a sunset date is no date"],
  },
  {
    right: "judgement",
    why: "The old document allowed no other fields, so a receiver may validate by it and refuse. Most pass over what they do not know.",
    edits: ["a field is added to a notification that allowed no others", "a notification may hold other fields"],
  },
  {
    right: "ours",
    why: "The service sends the notification, and no longer this value. Receivers lose nothing; code that names it no longer compiles. oasdiff judges it as a request.",
    edits: ["a value is removed from a list of a notification"],
  },
];

/** All of them. */
export const differences: readonly Difference[] = [...missed, ...tooStrict, ...warned];
