# frozen_string_literal: true

# The scenario with the Ruby client of openapi-generator.
$LOAD_PATH.unshift "#{__dir__}/client/lib"
require 'json'
require 'openapi_client'
require 'uri'

include OpenapiClient

base = URI(ENV.fetch('BASE_URL'))
OpenapiClient.configure do |config|
  config.scheme = base.scheme
  config.host = "#{base.host}:#{base.port}"
  config.api_key['x-service-api-key'] = ENV.fetch('API_KEY')
end
api = WebhooksApi.new

def body(name, chain_id = '43112')
  addresses = ['0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85']
  conditions = ConditionInput.new(field: 'transaction.value', op: 'in', value: %w[1 2])
  WebhookCreate.new(
    url: 'https://example.com/hooks',
    chain_id: chain_id,
    event_type: EventType::ADDRESS_ACTIVITY,
    metadata: WebhookMetadataInput.new(addresses: addresses, conditions: conditions),
    include_logs: true,
    name: name,
    finality: 'finalized'
  )
end

def refused
  yield
rescue OpenapiClient::ApiError => e
  ErrorAnswer.build_from_hash(JSON.parse(e.response_body, symbolize_names: true)).to_hash
else
  raise 'It was not refused.'
end

created = %w[one two three four five].map { |name| api.create_webhook(body(name)).id }
first = created.first
read = api.get_webhook(first)
updated = api.update_webhook(first, WebhookUpdate.new(name: 'renamed', status: WebhookStatus::INACTIVE))

pages = []
page_token = nil
loop do
  page = api.list_webhooks({ page_size: 2, page_token: page_token }.compact)
  pages << page.webhooks.map(&:id)
  page_token = page.next_page_token
  break if page_token.nil?
end

bad_request = refused { api.create_webhook(body('nowhere', '999999')) }
deleted = api.delete_webhook(first)
gone = refused { api.get_webhook(first) }

file = JSON.parse(File.read(ENV.fetch('NOTIFICATION')), symbolize_names: true)
event = AddressActivityNotification.build_from_hash(file[:value]).event
log = event.logs.first
headers = AddressActivityHeaders.build_from_hash(JSON.parse(File.read(ENV.fetch('HEADERS')), symbolize_names: true))
puts JSON.generate(
  created: created,
  read: {
    id: read.id,
    name: read.name,
    createdAt: read.created_at,
    address: read.metadata.addresses.first,
    conditions: read.metadata.conditions,
    finality: read.finality
  },
  updated: { id: updated.id, name: updated.name, status: updated.status },
  pages: pages,
  badRequest: bad_request,
  deleted: { id: deleted.id, status: deleted.status },
  gone: gone,
  notification: {
    txHash: event.transaction.tx_hash,
    blockTimestamp: event.transaction.block_timestamp,
    topics: [log.topic0, log.topic3]
  },
  headers: { id: headers.webhook_id, sequence: headers.webhook_sequence }
)
