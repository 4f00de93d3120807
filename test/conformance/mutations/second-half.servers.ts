/** The other half of the mutants, at the same time. */
import { testHalf } from "./half.ts";

testHalf(1);
