/** Before each file of `npm test`: what fast-check and others search for is the same each time. `npm run test:all` begins anywhere. */
import fc from "fast-check";
import { searchTheSame } from "./runs.ts";

searchTheSame();
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1 });
