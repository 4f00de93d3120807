/** Throw-away certificates, made by openssl as an operator would: an authority of one's own, and what it signs. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Paths of a certificate and its key, in PEM. */
export type Certificate = { cert: string; key: string };

/** Who signs. */
export type Authority = Certificate & {
  /** Issues a certificate. @param name the file's and the subject's @param hosts such as `DNS:localhost,IP:127.0.0.1` */
  issue(name: string, hosts?: string): Promise<Certificate>;
};

/** Makes an authority in a folder. */
export async function makeAuthority(folder: string, name = "ca"): Promise<Authority> {
  const own = await make(folder, name, ["-addext", "basicConstraints=critical,CA:TRUE"]);
  const issue = (subject: string, hosts?: string) =>
    make(folder, subject, [
      ...["-CA", own.cert, "-CAkey", own.key, "-addext", "basicConstraints=critical,CA:FALSE"],
      ...(hosts ? ["-addext", `subjectAltName=${hosts}`] : []),
    ]);
  return { ...own, issue };
}

async function make(folder: string, name: string, more: string[]): Promise<Certificate> {
  const paths = { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", paths.key];
  await run("openssl", ["req", "-x509", ...key, "-out", paths.cert, "-days", "2", "-subj", `/CN=${name}`, ...more]);
  return paths;
}
