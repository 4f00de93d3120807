/** Where health is told; apart from health.ts, since who only enforces the contract knows no store. */
export const healthPaths = ["/healthz", "/readyz", "/healthz/chains"];
