/**
 * What we use of ox, which decodes. The package as a whole takes 25 MB, these functions 85 KB: the build puts them into this module, so that
 * who installs ours does not install ox.
 */
export { getSelector } from "ox/AbiEvent";
export { decode } from "ox/AbiParameters";
