using Workerd = import "/workerd/workerd.capnp";

# What Cloudflare makes of a deployment: the module, and the secret as a binding.
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker", esModule = embed "worker.js")],
    bindings = [(name = "WEBHOOK_SECRET", fromEnvironment = "WEBHOOK_SECRET")],
    compatibilityDate = "2026-11-01",
    compatibilityFlags = ["nodejs_compat"],
  ))],
  sockets = [(name = "http", http = (), service = "main")],
);
