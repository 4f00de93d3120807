/** Half of the mutants, in a process of its own. */
import { testHalf } from "./half.ts";

testHalf(0);
