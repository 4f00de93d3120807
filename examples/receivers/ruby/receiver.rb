# Receives notifications with WEBrick, and verifies them with what Ruby has. From Ruby 3.0 on it takes `gem install webrick`.
#
#   WEBHOOK_SECRET=whsec_… ruby receiver.rb
require "json"
require "openssl"
require "webrick"

MOST_BYTES = 32 * 1024 * 1024
KEY = ENV.fetch("WEBHOOK_SECRET", "").delete_prefix("whsec_").unpack1("m0")
abort "WEBHOOK_SECRET must be the webhook's secret" if KEY.empty?
HANDLED = {} # A real program keeps it in its database, as a unique key.

def signed?(request, body)
  id, timestamp, signatures = %w[id timestamp signature].map { |name| request["webhook-#{name}"].to_s }
  return false if (Time.now.to_i - timestamp.to_i).abs > 300
  digest = OpenSSL::HMAC.digest("SHA256", KEY, "#{id}.#{timestamp}.".b + body)
  # For 24 hours after a rotation there are two signatures.
  signatures.split.any? { |signature| OpenSSL.secure_compare(signature, "v1,#{[digest].pack("m0")}") }
end

def receive(request)
  return 405 unless request.request_method == "POST"
  body = String.new # The signature covers the bytes as they arrived.
  request.body { |chunk| (body << chunk).bytesize <= MOST_BYTES or return 413 }
  return 400 unless signed?(request, body)
  message_id = JSON.parse(body).fetch("messageId")
  unless HANDLED[message_id] # Delivery is at least once.
    puts "#{request["webhook-sequence"]} #{message_id}"
    HANDLED[message_id] = true # After the work: if it raises, the service retries.
  end
  204
end

$stdout.sync = true
port = ENV.fetch("PORT", "4000").to_i
server = WEBrick::HTTPServer.new(BindAddress: "127.0.0.1", Port: port, AccessLog: [])
server.mount_proc("/hooks") { |request, response| response.status = receive(request) }
trap("TERM") { server.shutdown }
puts "Listening at http://127.0.0.1:#{port}/hooks"
server.start
