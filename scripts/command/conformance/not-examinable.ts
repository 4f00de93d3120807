/** Why a server cannot be examined at all. */

/** The server cannot be reached, or not examined; the message says why. */
export class NotExaminable extends Error {}
