/** Recognizes TLS failures by the codes of Node and OpenSSL. */

const codes =
  /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED)/;

/** Whether an error's code says that TLS failed: a certificate, a key, or the handshake. */
export function isTlsCode(code: string): boolean {
  return codes.test(code);
}
