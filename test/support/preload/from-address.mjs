/**
 * Sends HTTP from the loopback address FROM_ADDRESS, as from a machine of its own, so that a receiver can tell processes apart.
 * Connections to PostgreSQL are not made this way and stay as they are.
 */

import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

const connect = net.connect;
net.connect = (options, ...rest) => connect({ ...options, localAddress: process.env.FROM_ADDRESS }, ...rest);
syncBuiltinESMExports();
