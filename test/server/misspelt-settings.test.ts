/** A setting whose name is misspelt is reported, and another program's variable is not. */
import { expect, test } from "vitest";
import { misspeltSettings, settings } from "../../server/settings/settings.ts";

test.each([
  ["DATABSE_URL", "DATABASE_URL"],
  ["DATABASEURL", "DATABASE_URL"],
  ["database_url", "DATABASE_URL"],
  ["CHAIN", "CHAINS"],
  ["ALLOW_PRIVATE_TARGET", "ALLOW_PRIVATE_TARGETS"],
])("%s is said to be %s", (given, meant) => {
  expect(misspeltSettings({ [given]: "x", [meant]: "y" })).toEqual([
    `${given} is not a setting and has no effect. Did you mean ${meant}?`,
  ]);
});

test("settings, empty variables and those of other programs are not reported", () => {
  const right = Object.fromEntries(Object.values(settings).map(({ name }) => [name, "x"]));
  expect(misspeltSettings({ ...right, PORTT: "" })).toEqual([]);
  const foreign =
    "COLORTERM DISPLAY EDITOR GOPATH HISTSIZE HOME HOSTNAME HOSTTYPE INVOCATION_ID JAVA_HOME JOURNAL_STREAM KUBERNETES_PORT " +
    "KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT LANG LANGUAGE LC_ALL LESS LOGNAME LS_COLORS MAIL NODE_EXTRA_CA_CERTS NODE_OPTIONS " +
    "NODE_PATH NODE_VERSION NOTIFY_SOCKET OLDPWD OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_PROTOCOL " +
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT OTEL_RESOURCE_ATTRIBUTES OTEL_SERVICE_NAME PAGER PATH PGDATABASE PGHOST PGPASSWORD PGPORT PGUSER " +
    "PORTAGE PS1 PWD SHELL SHLVL SSH_CLIENT SSL_CERT_DIR SSL_CERT_FILE SUDO_USER TERM TMPDIR TZ USER VISUAL XDG_RUNTIME_DIR _";
  expect(misspeltSettings(Object.fromEntries(foreign.split(" ").map((name) => [name, "x"])))).toEqual([]);
});
