/**
 * What we use of ox: the hash of an event's signature. The package as a whole takes 25 MB. The build puts this function into this module, so
 * that users of our package do not install ox.
 */
export { getSelector } from "ox/AbiEvent";
