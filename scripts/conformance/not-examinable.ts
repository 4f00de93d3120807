/** Why a server cannot be examined at all. */

/** The server does not answer, or something is missing here; the message says what. */
export class NotExaminable extends Error {}
