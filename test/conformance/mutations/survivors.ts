/**
 * Mutants that neither the rules nor generated cases catch, each with the reason. A test fails when one of them is caught, and when one
 * that is not listed survives.
 */
export const survivors: Record<string, string> = {};
