// Made from openapi/openapi.yaml by `npm run generate`. Do not edit.
"use strict";
export const validate = validate20;
export default validate20;
const schema31 = {"$ref":"contract#/components/schemas/AddressActivityNotification"};
const schema33 = {"type":"object","required":["webhookId","eventType","messageId","event"],"properties":{"webhookId":{"$ref":"#/components/schemas/Uuid"},"eventType":{"$ref":"#/components/schemas/EventType"},"messageId":{"$ref":"#/components/schemas/Uuid"},"event":{"$ref":"#/components/schemas/AddressActivityEvent"}}};
const schema34 = {"type":"string","pattern":"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"};
const schema35 = {"type":"string"};
const pattern4 = new RegExp("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", "u");
const schema37 = {"type":"object","required":["transaction"],"properties":{"finalized":{"type":"boolean"},"confirmations":{"type":"integer","minimum":0},"transaction":{"$ref":"#/components/schemas/Transaction"},"logs":{"type":"array","items":{"$ref":"#/components/schemas/Log"}},"removed":{"type":"boolean"}}};
const schema38 = {"type":"object","required":["blockHash","blockNumber","from","to","gas","gasPrice","maxFeePerGas","maxPriorityFeePerGas","txHash","input","nonce","transactionIndex","value","type","chainId","receiptCumulativeGasUsed","receiptGasUsed","receiptEffectiveGasPrice","receiptRoot","contractAddress","blockTimestamp"],"properties":{"blockHash":{"$ref":"#/components/schemas/Hash"},"blockNumber":{"$ref":"#/components/schemas/Decimal"},"from":{"$ref":"#/components/schemas/Address"},"to":{"$ref":"#/components/schemas/Address"},"gas":{"$ref":"#/components/schemas/Decimal"},"gasPrice":{"$ref":"#/components/schemas/Decimal"},"maxFeePerGas":{"$ref":"#/components/schemas/Decimal"},"maxPriorityFeePerGas":{"$ref":"#/components/schemas/Decimal"},"txHash":{"$ref":"#/components/schemas/Hash"},"txStatus":{"type":"string"},"input":{"$ref":"#/components/schemas/HexData"},"nonce":{"$ref":"#/components/schemas/Decimal"},"transactionIndex":{"type":"integer","minimum":0},"value":{"$ref":"#/components/schemas/Decimal"},"type":{"type":"integer","minimum":0},"chainId":{"$ref":"#/components/schemas/ChainId"},"receiptCumulativeGasUsed":{"$ref":"#/components/schemas/Decimal"},"receiptGasUsed":{"$ref":"#/components/schemas/Decimal"},"receiptEffectiveGasPrice":{"$ref":"#/components/schemas/Decimal"},"receiptRoot":{"$ref":"#/components/schemas/Hash"},"contractAddress":{"$ref":"#/components/schemas/Address"},"blockTimestamp":{"type":"integer","format":"int64","minimum":0},"internalTransactions":{"type":"array","items":{"$ref":"#/components/schemas/InternalTransaction"}},"erc20Transfers":{"type":"array","items":{"$ref":"#/components/schemas/Erc20Transfer"}},"erc721Transfers":{"type":"array","items":{"$ref":"#/components/schemas/Erc721Transfer"}},"erc1155Transfers":{"type":"array","items":{"$ref":"#/components/schemas/Erc1155Transfer"}},"nativeTransfers":{"type":"array","items":{"$ref":"#/components/schemas/NativeTransfer"}}}};
const schema39 = {"type":"string","pattern":"^0x[0-9a-f]{64}$"};
const schema40 = {"type":"string","pattern":"^(0|[1-9][0-9]*)$"};
const schema41 = {"type":"string","pattern":"^0x[0-9a-f]{40}$"};
const schema48 = {"type":"string","pattern":"^0x[0-9a-f]*$"};
const schema51 = {"type":"string","pattern":"^[1-9][0-9]{0,18}$"};
const pattern6 = new RegExp("^0x[0-9a-f]{64}$", "u");
const pattern7 = new RegExp("^(0|[1-9][0-9]*)$", "u");
const pattern8 = new RegExp("^0x[0-9a-f]{40}$", "u");
const pattern15 = new RegExp("^0x[0-9a-f]*$", "u");
const pattern18 = new RegExp("^[1-9][0-9]{0,18}$", "u");
const schema57 = {"type":"object","required":["from","to","internalTxType","value","gasUsed","gasLimit","transactionHash"],"properties":{"from":{"$ref":"#/components/schemas/Address"},"to":{"$ref":"#/components/schemas/Address"},"internalTxType":{"type":"string","pattern":"^[A-Z0-9_]+$"},"value":{"$ref":"#/components/schemas/Decimal"},"gasUsed":{"$ref":"#/components/schemas/Decimal"},"gasLimit":{"$ref":"#/components/schemas/Decimal"},"transactionHash":{"$ref":"#/components/schemas/Hash"}}};
const pattern26 = new RegExp("^[A-Z0-9_]+$", "u");

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate25.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((data.from === undefined) && (missing0 = "from")) || ((data.to === undefined) && (missing0 = "to"))) || ((data.internalTxType === undefined) && (missing0 = "internalTxType"))) || ((data.value === undefined) && (missing0 = "value"))) || ((data.gasUsed === undefined) && (missing0 = "gasUsed"))) || ((data.gasLimit === undefined) && (missing0 = "gasLimit"))) || ((data.transactionHash === undefined) && (missing0 = "transactionHash"))){
validate25.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.from !== undefined){
let data0 = data.from;
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(!pattern8.test(data0)){
validate25.errors = [{instancePath:instancePath+"/from",schemaPath:"#/components/schemas/Address/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{40}$"},message:"must match pattern \""+"^0x[0-9a-f]{40}$"+"\""}];
return false;
}
}
else {
validate25.errors = [{instancePath:instancePath+"/from",schemaPath:"#/components/schemas/Address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.to !== undefined){
let data1 = data.to;
const _errs4 = errors;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(!pattern8.test(data1)){
validate25.errors = [{instancePath:instancePath+"/to",schemaPath:"#/components/schemas/Address/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{40}$"},message:"must match pattern \""+"^0x[0-9a-f]{40}$"+"\""}];
return false;
}
}
else {
validate25.errors = [{instancePath:instancePath+"/to",schemaPath:"#/components/schemas/Address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.internalTxType !== undefined){
let data2 = data.internalTxType;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(!pattern26.test(data2)){
validate25.errors = [{instancePath:instancePath+"/internalTxType",schemaPath:"#/properties/internalTxType/pattern",keyword:"pattern",params:{pattern: "^[A-Z0-9_]+$"},message:"must match pattern \""+"^[A-Z0-9_]+$"+"\""}];
return false;
}
}
else {
validate25.errors = [{instancePath:instancePath+"/internalTxType",schemaPath:"#/properties/internalTxType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.value !== undefined){
let data3 = data.value;
const _errs9 = errors;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data3 === "string"){
if(!pattern7.test(data3)){
validate25.errors = [{instancePath:instancePath+"/value",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate25.errors = [{instancePath:instancePath+"/value",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.gasUsed !== undefined){
let data4 = data.gasUsed;
const _errs12 = errors;
const _errs13 = errors;
if(errors === _errs13){
if(typeof data4 === "string"){
if(!pattern7.test(data4)){
validate25.errors = [{instancePath:instancePath+"/gasUsed",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate25.errors = [{instancePath:instancePath+"/gasUsed",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.gasLimit !== undefined){
let data5 = data.gasLimit;
const _errs15 = errors;
const _errs16 = errors;
if(errors === _errs16){
if(typeof data5 === "string"){
if(!pattern7.test(data5)){
validate25.errors = [{instancePath:instancePath+"/gasLimit",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate25.errors = [{instancePath:instancePath+"/gasLimit",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.transactionHash !== undefined){
let data6 = data.transactionHash;
const _errs18 = errors;
const _errs19 = errors;
if(errors === _errs19){
if(typeof data6 === "string"){
if(!pattern6.test(data6)){
validate25.errors = [{instancePath:instancePath+"/transactionHash",schemaPath:"#/components/schemas/Hash/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{64}$"},message:"must match pattern \""+"^0x[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate25.errors = [{instancePath:instancePath+"/transactionHash",schemaPath:"#/components/schemas/Hash/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
else {
validate25.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate25.errors = vErrors;
return errors === 0;
}
validate25.evaluated = {"props":{"from":true,"to":true,"internalTxType":true,"value":true,"gasUsed":true,"gasLimit":true,"transactionHash":true},"dynamicProps":false,"dynamicItems":false};

const schema64 = {"type":"object","required":["transactionHash","type","from","to","value","blockTimestamp","logIndex","erc20Token"],"properties":{"transactionHash":{"$ref":"#/components/schemas/Hash"},"type":{"type":"string"},"from":{"$ref":"#/components/schemas/Address"},"to":{"$ref":"#/components/schemas/Address"},"value":{"$ref":"#/components/schemas/Decimal"},"blockTimestamp":{"type":"integer","format":"int64","minimum":0},"logIndex":{"type":"integer","minimum":0},"erc20Token":{"$ref":"#/components/schemas/TransferredToken"}}};
const schema69 = {"type":"object","required":["address","name","symbol","decimals","valueWithDecimals"],"properties":{"address":{"$ref":"#/components/schemas/Address"},"name":{"$ref":"#/components/schemas/TokenText"},"symbol":{"$ref":"#/components/schemas/TokenText"},"decimals":{"type":["integer","null"],"minimum":0,"maximum":255},"valueWithDecimals":{"type":["string","null"],"pattern":"^(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$"}}};
const schema71 = {"type":["string","null"]};
const pattern36 = new RegExp("^(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$", "u");

function validate28(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate28.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((data.address === undefined) && (missing0 = "address")) || ((data.name === undefined) && (missing0 = "name"))) || ((data.symbol === undefined) && (missing0 = "symbol"))) || ((data.decimals === undefined) && (missing0 = "decimals"))) || ((data.valueWithDecimals === undefined) && (missing0 = "valueWithDecimals"))){
validate28.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.address !== undefined){
let data0 = data.address;
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(!pattern8.test(data0)){
validate28.errors = [{instancePath:instancePath+"/address",schemaPath:"#/components/schemas/Address/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{40}$"},message:"must match pattern \""+"^0x[0-9a-f]{40}$"+"\""}];
return false;
}
}
else {
validate28.errors = [{instancePath:instancePath+"/address",schemaPath:"#/components/schemas/Address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs4 = errors;
if((typeof data1 !== "string") && (data1 !== null)){
validate28.errors = [{instancePath:instancePath+"/name",schemaPath:"#/components/schemas/TokenText/type",keyword:"type",params:{type: schema71.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.symbol !== undefined){
let data2 = data.symbol;
const _errs7 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate28.errors = [{instancePath:instancePath+"/symbol",schemaPath:"#/components/schemas/TokenText/type",keyword:"type",params:{type: schema71.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.decimals !== undefined){
let data3 = data.decimals;
const _errs10 = errors;
if((!((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3)))) && (data3 !== null)){
validate28.errors = [{instancePath:instancePath+"/decimals",schemaPath:"#/properties/decimals/type",keyword:"type",params:{type: schema69.properties.decimals.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs10){
if(typeof data3 == "number"){
if(data3 > 255 || isNaN(data3)){
validate28.errors = [{instancePath:instancePath+"/decimals",schemaPath:"#/properties/decimals/maximum",keyword:"maximum",params:{comparison: "<=", limit: 255},message:"must be <= 255"}];
return false;
}
else {
if(data3 < 0 || isNaN(data3)){
validate28.errors = [{instancePath:instancePath+"/decimals",schemaPath:"#/properties/decimals/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.valueWithDecimals !== undefined){
let data4 = data.valueWithDecimals;
const _errs12 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate28.errors = [{instancePath:instancePath+"/valueWithDecimals",schemaPath:"#/properties/valueWithDecimals/type",keyword:"type",params:{type: schema69.properties.valueWithDecimals.type},message:"must be string,null"}];
return false;
}
if(errors === _errs12){
if(typeof data4 === "string"){
if(!pattern36.test(data4)){
validate28.errors = [{instancePath:instancePath+"/valueWithDecimals",schemaPath:"#/properties/valueWithDecimals/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$"+"\""}];
return false;
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate28.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate28.errors = vErrors;
return errors === 0;
}
validate28.evaluated = {"props":{"address":true,"name":true,"symbol":true,"decimals":true,"valueWithDecimals":true},"dynamicProps":false,"dynamicItems":false};


function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate27.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((data.transactionHash === undefined) && (missing0 = "transactionHash")) || ((data.type === undefined) && (missing0 = "type"))) || ((data.from === undefined) && (missing0 = "from"))) || ((data.to === undefined) && (missing0 = "to"))) || ((data.value === undefined) && (missing0 = "value"))) || ((data.blockTimestamp === undefined) && (missing0 = "blockTimestamp"))) || ((data.logIndex === undefined) && (missing0 = "logIndex"))) || ((data.erc20Token === undefined) && (missing0 = "erc20Token"))){
validate27.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.transactionHash !== undefined){
let data0 = data.transactionHash;
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(!pattern6.test(data0)){
validate27.errors = [{instancePath:instancePath+"/transactionHash",schemaPath:"#/components/schemas/Hash/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{64}$"},message:"must match pattern \""+"^0x[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate27.errors = [{instancePath:instancePath+"/transactionHash",schemaPath:"#/components/schemas/Hash/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
const _errs4 = errors;
if(typeof data.type !== "string"){
validate27.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.from !== undefined){
let data2 = data.from;
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(!pattern8.test(data2)){
validate27.errors = [{instancePath:instancePath+"/from",schemaPath:"#/components/schemas/Address/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{40}$"},message:"must match pattern \""+"^0x[0-9a-f]{40}$"+"\""}];
return false;
}
}
else {
validate27.errors = [{instancePath:instancePath+"/from",schemaPath:"#/components/schemas/Address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.to !== undefined){
let data3 = data.to;
const _errs9 = errors;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data3 === "string"){
if(!pattern8.test(data3)){
validate27.errors = [{instancePath:instancePath+"/to",schemaPath:"#/components/schemas/Address/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{40}$"},message:"must match pattern \""+"^0x[0-9a-f]{40}$"+"\""}];
return false;
}
}
else {
validate27.errors = [{instancePath:instancePath+"/to",schemaPath:"#/components/schemas/Address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.value !== undefined){
let data4 = data.value;
const _errs12 = errors;
const _errs13 = errors;
if(errors === _errs13){
if(typeof data4 === "string"){
if(!pattern7.test(data4)){
validate27.errors = [{instancePath:instancePath+"/value",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate27.errors = [{instancePath:instancePath+"/value",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.blockTimestamp !== undefined){
let data5 = data.blockTimestamp;
const _errs15 = errors;
if(!((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5)))){
validate27.errors = [{instancePath:instancePath+"/blockTimestamp",schemaPath:"#/properties/blockTimestamp/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs15){
if(typeof data5 == "number"){
if(data5 < 0 || isNaN(data5)){
validate27.errors = [{instancePath:instancePath+"/blockTimestamp",schemaPath:"#/properties/blockTimestamp/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.logIndex !== undefined){
let data6 = data.logIndex;
const _errs17 = errors;
if(!((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6)))){
validate27.errors = [{instancePath:instancePath+"/logIndex",schemaPath:"#/properties/logIndex/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs17){
if(typeof data6 == "number"){
if(data6 < 0 || isNaN(data6)){
validate27.errors = [{instancePath:instancePath+"/logIndex",schemaPath:"#/properties/logIndex/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.erc20Token !== undefined){
const _errs19 = errors;
if(!(validate28(data.erc20Token, {instancePath:instancePath+"/erc20Token",parentData:data,parentDataProperty:"erc20Token",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate27.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate27.errors = vErrors;
return errors === 0;
}
validate27.evaluated = {"props":{"transactionHash":true,"type":true,"from":true,"to":true,"value":true,"blockTimestamp":true,"logIndex":true,"erc20Token":true},"dynamicProps":false,"dynamicItems":false};

const schema73 = {"type":"object","required":["transactionHash","type","from","to","value","tokenId","blockTimestamp","logIndex","erc721Token"],"properties":{"transactionHash":{"$ref":"#/components/schemas/Hash"},"type":{"type":"string"},"from":{"$ref":"#/components/schemas/Address"},"to":{"$ref":"#/components/schemas/Address"},"value":{"$ref":"#/components/schemas/Decimal"},"tokenId":{"$ref":"#/components/schemas/Decimal"},"blockTimestamp":{"type":"integer","format":"int64","minimum":0},"logIndex":{"type":"integer","minimum":0},"erc721Token":{"$ref":"#/components/schemas/TransferredToken"}}};

function validate31(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate31.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((data.transactionHash === undefined) && (missing0 = "transactionHash")) || ((data.type === undefined) && (missing0 = "type"))) || ((data.from === undefined) && (missing0 = "from"))) || ((data.to === undefined) && (missing0 = "to"))) || ((data.value === undefined) && (missing0 = "value"))) || ((data.tokenId === undefined) && (missing0 = "tokenId"))) || ((data.blockTimestamp === undefined) && (missing0 = "blockTimestamp"))) || ((data.logIndex === undefined) && (missing0 = "logIndex"))) || ((data.erc721Token === undefined) && (missing0 = "erc721Token"))){
validate31.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.transactionHash !== undefined){
let data0 = data.transactionHash;
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(!pattern6.test(data0)){
validate31.errors = [{instancePath:instancePath+"/transactionHash",schemaPath:"#/components/schemas/Hash/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{64}$"},message:"must match pattern \""+"^0x[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate31.errors = [{instancePath:instancePath+"/transactionHash",schemaPath:"#/components/schemas/Hash/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
const _errs4 = errors;
if(typeof data.type !== "string"){
validate31.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.from !== undefined){
let data2 = data.from;
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(!pattern8.test(data2)){
validate31.errors = [{instancePath:instancePath+"/from",schemaPath:"#/components/schemas/Address/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{40}$"},message:"must match pattern \""+"^0x[0-9a-f]{40}$"+"\""}];
return false;
}
}
else {
validate31.errors = [{instancePath:instancePath+"/from",schemaPath:"#/components/schemas/Address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.to !== undefined){
let data3 = data.to;
const _errs9 = errors;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data3 === "string"){
if(!pattern8.test(data3)){
validate31.errors = [{instancePath:instancePath+"/to",schemaPath:"#/components/schemas/Address/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{40}$"},message:"must match pattern \""+"^0x[0-9a-f]{40}$"+"\""}];
return false;
}
}
else {
validate31.errors = [{instancePath:instancePath+"/to",schemaPath:"#/components/schemas/Address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.value !== undefined){
let data4 = data.value;
const _errs12 = errors;
const _errs13 = errors;
if(errors === _errs13){
if(typeof data4 === "string"){
if(!pattern7.test(data4)){
validate31.errors = [{instancePath:instancePath+"/value",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate31.errors = [{instancePath:instancePath+"/value",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tokenId !== undefined){
let data5 = data.tokenId;
const _errs15 = errors;
const _errs16 = errors;
if(errors === _errs16){
if(typeof data5 === "string"){
if(!pattern7.test(data5)){
validate31.errors = [{instancePath:instancePath+"/tokenId",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate31.errors = [{instancePath:instancePath+"/tokenId",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.blockTimestamp !== undefined){
let data6 = data.blockTimestamp;
const _errs18 = errors;
if(!((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6)))){
validate31.errors = [{instancePath:instancePath+"/blockTimestamp",schemaPath:"#/properties/blockTimestamp/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs18){
if(typeof data6 == "number"){
if(data6 < 0 || isNaN(data6)){
validate31.errors = [{instancePath:instancePath+"/blockTimestamp",schemaPath:"#/properties/blockTimestamp/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.logIndex !== undefined){
let data7 = data.logIndex;
const _errs20 = errors;
if(!((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7)))){
validate31.errors = [{instancePath:instancePath+"/logIndex",schemaPath:"#/properties/logIndex/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs20){
if(typeof data7 == "number"){
if(data7 < 0 || isNaN(data7)){
validate31.errors = [{instancePath:instancePath+"/logIndex",schemaPath:"#/properties/logIndex/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.erc721Token !== undefined){
const _errs22 = errors;
if(!(validate28(data.erc721Token, {instancePath:instancePath+"/erc721Token",parentData:data,parentDataProperty:"erc721Token",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
validate31.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate31.errors = vErrors;
return errors === 0;
}
validate31.evaluated = {"props":{"transactionHash":true,"type":true,"from":true,"to":true,"value":true,"tokenId":true,"blockTimestamp":true,"logIndex":true,"erc721Token":true},"dynamicProps":false,"dynamicItems":false};

const schema79 = {"type":"object","required":["transactionHash","type","from","to","value","tokenId","blockTimestamp","logIndex","erc1155Token"],"properties":{"transactionHash":{"$ref":"#/components/schemas/Hash"},"type":{"type":"string"},"from":{"$ref":"#/components/schemas/Address"},"to":{"$ref":"#/components/schemas/Address"},"value":{"$ref":"#/components/schemas/Decimal"},"tokenId":{"$ref":"#/components/schemas/Decimal"},"blockTimestamp":{"type":"integer","format":"int64","minimum":0},"logIndex":{"type":"integer","minimum":0},"erc1155Token":{"$ref":"#/components/schemas/TransferredToken"}}};

function validate34(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate34.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((data.transactionHash === undefined) && (missing0 = "transactionHash")) || ((data.type === undefined) && (missing0 = "type"))) || ((data.from === undefined) && (missing0 = "from"))) || ((data.to === undefined) && (missing0 = "to"))) || ((data.value === undefined) && (missing0 = "value"))) || ((data.tokenId === undefined) && (missing0 = "tokenId"))) || ((data.blockTimestamp === undefined) && (missing0 = "blockTimestamp"))) || ((data.logIndex === undefined) && (missing0 = "logIndex"))) || ((data.erc1155Token === undefined) && (missing0 = "erc1155Token"))){
validate34.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.transactionHash !== undefined){
let data0 = data.transactionHash;
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(!pattern6.test(data0)){
validate34.errors = [{instancePath:instancePath+"/transactionHash",schemaPath:"#/components/schemas/Hash/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{64}$"},message:"must match pattern \""+"^0x[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate34.errors = [{instancePath:instancePath+"/transactionHash",schemaPath:"#/components/schemas/Hash/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
const _errs4 = errors;
if(typeof data.type !== "string"){
validate34.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.from !== undefined){
let data2 = data.from;
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(!pattern8.test(data2)){
validate34.errors = [{instancePath:instancePath+"/from",schemaPath:"#/components/schemas/Address/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{40}$"},message:"must match pattern \""+"^0x[0-9a-f]{40}$"+"\""}];
return false;
}
}
else {
validate34.errors = [{instancePath:instancePath+"/from",schemaPath:"#/components/schemas/Address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.to !== undefined){
let data3 = data.to;
const _errs9 = errors;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data3 === "string"){
if(!pattern8.test(data3)){
validate34.errors = [{instancePath:instancePath+"/to",schemaPath:"#/components/schemas/Address/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{40}$"},message:"must match pattern \""+"^0x[0-9a-f]{40}$"+"\""}];
return false;
}
}
else {
validate34.errors = [{instancePath:instancePath+"/to",schemaPath:"#/components/schemas/Address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.value !== undefined){
let data4 = data.value;
const _errs12 = errors;
const _errs13 = errors;
if(errors === _errs13){
if(typeof data4 === "string"){
if(!pattern7.test(data4)){
validate34.errors = [{instancePath:instancePath+"/value",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate34.errors = [{instancePath:instancePath+"/value",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tokenId !== undefined){
let data5 = data.tokenId;
const _errs15 = errors;
const _errs16 = errors;
if(errors === _errs16){
if(typeof data5 === "string"){
if(!pattern7.test(data5)){
validate34.errors = [{instancePath:instancePath+"/tokenId",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate34.errors = [{instancePath:instancePath+"/tokenId",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.blockTimestamp !== undefined){
let data6 = data.blockTimestamp;
const _errs18 = errors;
if(!((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6)))){
validate34.errors = [{instancePath:instancePath+"/blockTimestamp",schemaPath:"#/properties/blockTimestamp/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs18){
if(typeof data6 == "number"){
if(data6 < 0 || isNaN(data6)){
validate34.errors = [{instancePath:instancePath+"/blockTimestamp",schemaPath:"#/properties/blockTimestamp/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.logIndex !== undefined){
let data7 = data.logIndex;
const _errs20 = errors;
if(!((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7)))){
validate34.errors = [{instancePath:instancePath+"/logIndex",schemaPath:"#/properties/logIndex/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs20){
if(typeof data7 == "number"){
if(data7 < 0 || isNaN(data7)){
validate34.errors = [{instancePath:instancePath+"/logIndex",schemaPath:"#/properties/logIndex/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.erc1155Token !== undefined){
const _errs22 = errors;
if(!(validate28(data.erc1155Token, {instancePath:instancePath+"/erc1155Token",parentData:data,parentDataProperty:"erc1155Token",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
validate34.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate34.errors = vErrors;
return errors === 0;
}
validate34.evaluated = {"props":{"transactionHash":true,"type":true,"from":true,"to":true,"value":true,"tokenId":true,"blockTimestamp":true,"logIndex":true,"erc1155Token":true},"dynamicProps":false,"dynamicItems":false};

const schema85 = {"type":"object","required":["transactionHash","type","from","to","value","blockTimestamp"],"properties":{"transactionHash":{"$ref":"#/components/schemas/Hash"},"type":{"type":"string"},"from":{"$ref":"#/components/schemas/Address"},"to":{"$ref":"#/components/schemas/Address"},"value":{"$ref":"#/components/schemas/Decimal"},"blockTimestamp":{"type":"integer","format":"int64","minimum":0}}};

function validate37(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate37.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((data.transactionHash === undefined) && (missing0 = "transactionHash")) || ((data.type === undefined) && (missing0 = "type"))) || ((data.from === undefined) && (missing0 = "from"))) || ((data.to === undefined) && (missing0 = "to"))) || ((data.value === undefined) && (missing0 = "value"))) || ((data.blockTimestamp === undefined) && (missing0 = "blockTimestamp"))){
validate37.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.transactionHash !== undefined){
let data0 = data.transactionHash;
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(!pattern6.test(data0)){
validate37.errors = [{instancePath:instancePath+"/transactionHash",schemaPath:"#/components/schemas/Hash/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{64}$"},message:"must match pattern \""+"^0x[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate37.errors = [{instancePath:instancePath+"/transactionHash",schemaPath:"#/components/schemas/Hash/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
const _errs4 = errors;
if(typeof data.type !== "string"){
validate37.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.from !== undefined){
let data2 = data.from;
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(!pattern8.test(data2)){
validate37.errors = [{instancePath:instancePath+"/from",schemaPath:"#/components/schemas/Address/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{40}$"},message:"must match pattern \""+"^0x[0-9a-f]{40}$"+"\""}];
return false;
}
}
else {
validate37.errors = [{instancePath:instancePath+"/from",schemaPath:"#/components/schemas/Address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.to !== undefined){
let data3 = data.to;
const _errs9 = errors;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data3 === "string"){
if(!pattern8.test(data3)){
validate37.errors = [{instancePath:instancePath+"/to",schemaPath:"#/components/schemas/Address/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{40}$"},message:"must match pattern \""+"^0x[0-9a-f]{40}$"+"\""}];
return false;
}
}
else {
validate37.errors = [{instancePath:instancePath+"/to",schemaPath:"#/components/schemas/Address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.value !== undefined){
let data4 = data.value;
const _errs12 = errors;
const _errs13 = errors;
if(errors === _errs13){
if(typeof data4 === "string"){
if(!pattern7.test(data4)){
validate37.errors = [{instancePath:instancePath+"/value",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate37.errors = [{instancePath:instancePath+"/value",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.blockTimestamp !== undefined){
let data5 = data.blockTimestamp;
const _errs15 = errors;
if(!((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5)))){
validate37.errors = [{instancePath:instancePath+"/blockTimestamp",schemaPath:"#/properties/blockTimestamp/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs15){
if(typeof data5 == "number"){
if(data5 < 0 || isNaN(data5)){
validate37.errors = [{instancePath:instancePath+"/blockTimestamp",schemaPath:"#/properties/blockTimestamp/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
else {
validate37.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate37.errors = vErrors;
return errors === 0;
}
validate37.evaluated = {"props":{"transactionHash":true,"type":true,"from":true,"to":true,"value":true,"blockTimestamp":true},"dynamicProps":false,"dynamicItems":false};


function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate24.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((((((((((((((data.blockHash === undefined) && (missing0 = "blockHash")) || ((data.blockNumber === undefined) && (missing0 = "blockNumber"))) || ((data.from === undefined) && (missing0 = "from"))) || ((data.to === undefined) && (missing0 = "to"))) || ((data.gas === undefined) && (missing0 = "gas"))) || ((data.gasPrice === undefined) && (missing0 = "gasPrice"))) || ((data.maxFeePerGas === undefined) && (missing0 = "maxFeePerGas"))) || ((data.maxPriorityFeePerGas === undefined) && (missing0 = "maxPriorityFeePerGas"))) || ((data.txHash === undefined) && (missing0 = "txHash"))) || ((data.input === undefined) && (missing0 = "input"))) || ((data.nonce === undefined) && (missing0 = "nonce"))) || ((data.transactionIndex === undefined) && (missing0 = "transactionIndex"))) || ((data.value === undefined) && (missing0 = "value"))) || ((data.type === undefined) && (missing0 = "type"))) || ((data.chainId === undefined) && (missing0 = "chainId"))) || ((data.receiptCumulativeGasUsed === undefined) && (missing0 = "receiptCumulativeGasUsed"))) || ((data.receiptGasUsed === undefined) && (missing0 = "receiptGasUsed"))) || ((data.receiptEffectiveGasPrice === undefined) && (missing0 = "receiptEffectiveGasPrice"))) || ((data.receiptRoot === undefined) && (missing0 = "receiptRoot"))) || ((data.contractAddress === undefined) && (missing0 = "contractAddress"))) || ((data.blockTimestamp === undefined) && (missing0 = "blockTimestamp"))){
validate24.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.blockHash !== undefined){
let data0 = data.blockHash;
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(!pattern6.test(data0)){
validate24.errors = [{instancePath:instancePath+"/blockHash",schemaPath:"#/components/schemas/Hash/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{64}$"},message:"must match pattern \""+"^0x[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/blockHash",schemaPath:"#/components/schemas/Hash/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.blockNumber !== undefined){
let data1 = data.blockNumber;
const _errs4 = errors;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(!pattern7.test(data1)){
validate24.errors = [{instancePath:instancePath+"/blockNumber",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/blockNumber",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.from !== undefined){
let data2 = data.from;
const _errs7 = errors;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data2 === "string"){
if(!pattern8.test(data2)){
validate24.errors = [{instancePath:instancePath+"/from",schemaPath:"#/components/schemas/Address/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{40}$"},message:"must match pattern \""+"^0x[0-9a-f]{40}$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/from",schemaPath:"#/components/schemas/Address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.to !== undefined){
let data3 = data.to;
const _errs10 = errors;
const _errs11 = errors;
if(errors === _errs11){
if(typeof data3 === "string"){
if(!pattern8.test(data3)){
validate24.errors = [{instancePath:instancePath+"/to",schemaPath:"#/components/schemas/Address/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{40}$"},message:"must match pattern \""+"^0x[0-9a-f]{40}$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/to",schemaPath:"#/components/schemas/Address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.gas !== undefined){
let data4 = data.gas;
const _errs13 = errors;
const _errs14 = errors;
if(errors === _errs14){
if(typeof data4 === "string"){
if(!pattern7.test(data4)){
validate24.errors = [{instancePath:instancePath+"/gas",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/gas",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.gasPrice !== undefined){
let data5 = data.gasPrice;
const _errs16 = errors;
const _errs17 = errors;
if(errors === _errs17){
if(typeof data5 === "string"){
if(!pattern7.test(data5)){
validate24.errors = [{instancePath:instancePath+"/gasPrice",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/gasPrice",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.maxFeePerGas !== undefined){
let data6 = data.maxFeePerGas;
const _errs19 = errors;
const _errs20 = errors;
if(errors === _errs20){
if(typeof data6 === "string"){
if(!pattern7.test(data6)){
validate24.errors = [{instancePath:instancePath+"/maxFeePerGas",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/maxFeePerGas",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.maxPriorityFeePerGas !== undefined){
let data7 = data.maxPriorityFeePerGas;
const _errs22 = errors;
const _errs23 = errors;
if(errors === _errs23){
if(typeof data7 === "string"){
if(!pattern7.test(data7)){
validate24.errors = [{instancePath:instancePath+"/maxPriorityFeePerGas",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/maxPriorityFeePerGas",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.txHash !== undefined){
let data8 = data.txHash;
const _errs25 = errors;
const _errs26 = errors;
if(errors === _errs26){
if(typeof data8 === "string"){
if(!pattern6.test(data8)){
validate24.errors = [{instancePath:instancePath+"/txHash",schemaPath:"#/components/schemas/Hash/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{64}$"},message:"must match pattern \""+"^0x[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/txHash",schemaPath:"#/components/schemas/Hash/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.txStatus !== undefined){
const _errs28 = errors;
if(typeof data.txStatus !== "string"){
validate24.errors = [{instancePath:instancePath+"/txStatus",schemaPath:"#/properties/txStatus/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs28 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.input !== undefined){
let data10 = data.input;
const _errs30 = errors;
const _errs31 = errors;
if(errors === _errs31){
if(typeof data10 === "string"){
if(!pattern15.test(data10)){
validate24.errors = [{instancePath:instancePath+"/input",schemaPath:"#/components/schemas/HexData/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]*$"},message:"must match pattern \""+"^0x[0-9a-f]*$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/input",schemaPath:"#/components/schemas/HexData/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs30 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nonce !== undefined){
let data11 = data.nonce;
const _errs33 = errors;
const _errs34 = errors;
if(errors === _errs34){
if(typeof data11 === "string"){
if(!pattern7.test(data11)){
validate24.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs33 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.transactionIndex !== undefined){
let data12 = data.transactionIndex;
const _errs36 = errors;
if(!((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12)))){
validate24.errors = [{instancePath:instancePath+"/transactionIndex",schemaPath:"#/properties/transactionIndex/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs36){
if(typeof data12 == "number"){
if(data12 < 0 || isNaN(data12)){
validate24.errors = [{instancePath:instancePath+"/transactionIndex",schemaPath:"#/properties/transactionIndex/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs36 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.value !== undefined){
let data13 = data.value;
const _errs38 = errors;
const _errs39 = errors;
if(errors === _errs39){
if(typeof data13 === "string"){
if(!pattern7.test(data13)){
validate24.errors = [{instancePath:instancePath+"/value",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/value",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs38 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
let data14 = data.type;
const _errs41 = errors;
if(!((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14)))){
validate24.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs41){
if(typeof data14 == "number"){
if(data14 < 0 || isNaN(data14)){
validate24.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs41 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.chainId !== undefined){
let data15 = data.chainId;
const _errs43 = errors;
const _errs44 = errors;
if(errors === _errs44){
if(typeof data15 === "string"){
if(!pattern18.test(data15)){
validate24.errors = [{instancePath:instancePath+"/chainId",schemaPath:"#/components/schemas/ChainId/pattern",keyword:"pattern",params:{pattern: "^[1-9][0-9]{0,18}$"},message:"must match pattern \""+"^[1-9][0-9]{0,18}$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/chainId",schemaPath:"#/components/schemas/ChainId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs43 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.receiptCumulativeGasUsed !== undefined){
let data16 = data.receiptCumulativeGasUsed;
const _errs46 = errors;
const _errs47 = errors;
if(errors === _errs47){
if(typeof data16 === "string"){
if(!pattern7.test(data16)){
validate24.errors = [{instancePath:instancePath+"/receiptCumulativeGasUsed",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/receiptCumulativeGasUsed",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs46 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.receiptGasUsed !== undefined){
let data17 = data.receiptGasUsed;
const _errs49 = errors;
const _errs50 = errors;
if(errors === _errs50){
if(typeof data17 === "string"){
if(!pattern7.test(data17)){
validate24.errors = [{instancePath:instancePath+"/receiptGasUsed",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/receiptGasUsed",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs49 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.receiptEffectiveGasPrice !== undefined){
let data18 = data.receiptEffectiveGasPrice;
const _errs52 = errors;
const _errs53 = errors;
if(errors === _errs53){
if(typeof data18 === "string"){
if(!pattern7.test(data18)){
validate24.errors = [{instancePath:instancePath+"/receiptEffectiveGasPrice",schemaPath:"#/components/schemas/Decimal/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/receiptEffectiveGasPrice",schemaPath:"#/components/schemas/Decimal/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs52 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.receiptRoot !== undefined){
let data19 = data.receiptRoot;
const _errs55 = errors;
const _errs56 = errors;
if(errors === _errs56){
if(typeof data19 === "string"){
if(!pattern6.test(data19)){
validate24.errors = [{instancePath:instancePath+"/receiptRoot",schemaPath:"#/components/schemas/Hash/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{64}$"},message:"must match pattern \""+"^0x[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/receiptRoot",schemaPath:"#/components/schemas/Hash/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs55 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.contractAddress !== undefined){
let data20 = data.contractAddress;
const _errs58 = errors;
const _errs59 = errors;
if(errors === _errs59){
if(typeof data20 === "string"){
if(!pattern8.test(data20)){
validate24.errors = [{instancePath:instancePath+"/contractAddress",schemaPath:"#/components/schemas/Address/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{40}$"},message:"must match pattern \""+"^0x[0-9a-f]{40}$"+"\""}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/contractAddress",schemaPath:"#/components/schemas/Address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs58 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.blockTimestamp !== undefined){
let data21 = data.blockTimestamp;
const _errs61 = errors;
if(!((typeof data21 == "number") && (!(data21 % 1) && !isNaN(data21)))){
validate24.errors = [{instancePath:instancePath+"/blockTimestamp",schemaPath:"#/properties/blockTimestamp/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs61){
if(typeof data21 == "number"){
if(data21 < 0 || isNaN(data21)){
validate24.errors = [{instancePath:instancePath+"/blockTimestamp",schemaPath:"#/properties/blockTimestamp/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs61 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.internalTransactions !== undefined){
let data22 = data.internalTransactions;
const _errs63 = errors;
if(errors === _errs63){
if(Array.isArray(data22)){
var valid19 = true;
const len0 = data22.length;
for(let i0=0; i0<len0; i0++){
const _errs65 = errors;
if(!(validate25(data22[i0], {instancePath:instancePath+"/internalTransactions/" + i0,parentData:data22,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate25.errors : vErrors.concat(validate25.errors);
errors = vErrors.length;
}
var valid19 = _errs65 === errors;
if(!valid19){
break;
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/internalTransactions",schemaPath:"#/properties/internalTransactions/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs63 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.erc20Transfers !== undefined){
let data24 = data.erc20Transfers;
const _errs66 = errors;
if(errors === _errs66){
if(Array.isArray(data24)){
var valid20 = true;
const len1 = data24.length;
for(let i1=0; i1<len1; i1++){
const _errs68 = errors;
if(!(validate27(data24[i1], {instancePath:instancePath+"/erc20Transfers/" + i1,parentData:data24,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate27.errors : vErrors.concat(validate27.errors);
errors = vErrors.length;
}
var valid20 = _errs68 === errors;
if(!valid20){
break;
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/erc20Transfers",schemaPath:"#/properties/erc20Transfers/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs66 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.erc721Transfers !== undefined){
let data26 = data.erc721Transfers;
const _errs69 = errors;
if(errors === _errs69){
if(Array.isArray(data26)){
var valid21 = true;
const len2 = data26.length;
for(let i2=0; i2<len2; i2++){
const _errs71 = errors;
if(!(validate31(data26[i2], {instancePath:instancePath+"/erc721Transfers/" + i2,parentData:data26,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate31.errors : vErrors.concat(validate31.errors);
errors = vErrors.length;
}
var valid21 = _errs71 === errors;
if(!valid21){
break;
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/erc721Transfers",schemaPath:"#/properties/erc721Transfers/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs69 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.erc1155Transfers !== undefined){
let data28 = data.erc1155Transfers;
const _errs72 = errors;
if(errors === _errs72){
if(Array.isArray(data28)){
var valid22 = true;
const len3 = data28.length;
for(let i3=0; i3<len3; i3++){
const _errs74 = errors;
if(!(validate34(data28[i3], {instancePath:instancePath+"/erc1155Transfers/" + i3,parentData:data28,parentDataProperty:i3,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate34.errors : vErrors.concat(validate34.errors);
errors = vErrors.length;
}
var valid22 = _errs74 === errors;
if(!valid22){
break;
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/erc1155Transfers",schemaPath:"#/properties/erc1155Transfers/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs72 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nativeTransfers !== undefined){
let data30 = data.nativeTransfers;
const _errs75 = errors;
if(errors === _errs75){
if(Array.isArray(data30)){
var valid23 = true;
const len4 = data30.length;
for(let i4=0; i4<len4; i4++){
const _errs77 = errors;
if(!(validate37(data30[i4], {instancePath:instancePath+"/nativeTransfers/" + i4,parentData:data30,parentDataProperty:i4,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate37.errors : vErrors.concat(validate37.errors);
errors = vErrors.length;
}
var valid23 = _errs77 === errors;
if(!valid23){
break;
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/nativeTransfers",schemaPath:"#/properties/nativeTransfers/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs75 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate24.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate24.errors = vErrors;
return errors === 0;
}
validate24.evaluated = {"props":{"blockHash":true,"blockNumber":true,"from":true,"to":true,"gas":true,"gasPrice":true,"maxFeePerGas":true,"maxPriorityFeePerGas":true,"txHash":true,"txStatus":true,"input":true,"nonce":true,"transactionIndex":true,"value":true,"type":true,"chainId":true,"receiptCumulativeGasUsed":true,"receiptGasUsed":true,"receiptEffectiveGasPrice":true,"receiptRoot":true,"contractAddress":true,"blockTimestamp":true,"internalTransactions":true,"erc20Transfers":true,"erc721Transfers":true,"erc1155Transfers":true,"nativeTransfers":true},"dynamicProps":false,"dynamicItems":false};

const schema90 = {"type":"object","required":["address","topic0","topic1","topic2","topic3","data","transactionIndex","logIndex","removed"],"properties":{"address":{"$ref":"#/components/schemas/Address"},"topic0":{"$ref":"#/components/schemas/Topic"},"topic1":{"$ref":"#/components/schemas/Topic"},"topic2":{"$ref":"#/components/schemas/Topic"},"topic3":{"$ref":"#/components/schemas/Topic"},"data":{"$ref":"#/components/schemas/HexData"},"transactionIndex":{"type":"integer","minimum":0},"logIndex":{"type":"integer","minimum":0},"removed":{"type":"boolean"},"decoded":{"$ref":"#/components/schemas/DecodedLog"},"undecoded":{"type":"string"}}};
const schema92 = {"type":["string","null"],"pattern":"^0x[0-9a-f]{64}$"};
const schema97 = {"type":"object","required":["name","signature","args"],"properties":{"name":{"type":"string"},"signature":{"type":"string"},"args":{"type":"object","additionalProperties":true}}};

function validate40(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate40.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((data.address === undefined) && (missing0 = "address")) || ((data.topic0 === undefined) && (missing0 = "topic0"))) || ((data.topic1 === undefined) && (missing0 = "topic1"))) || ((data.topic2 === undefined) && (missing0 = "topic2"))) || ((data.topic3 === undefined) && (missing0 = "topic3"))) || ((data.data === undefined) && (missing0 = "data"))) || ((data.transactionIndex === undefined) && (missing0 = "transactionIndex"))) || ((data.logIndex === undefined) && (missing0 = "logIndex"))) || ((data.removed === undefined) && (missing0 = "removed"))){
validate40.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.address !== undefined){
let data0 = data.address;
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(!pattern8.test(data0)){
validate40.errors = [{instancePath:instancePath+"/address",schemaPath:"#/components/schemas/Address/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{40}$"},message:"must match pattern \""+"^0x[0-9a-f]{40}$"+"\""}];
return false;
}
}
else {
validate40.errors = [{instancePath:instancePath+"/address",schemaPath:"#/components/schemas/Address/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.topic0 !== undefined){
let data1 = data.topic0;
const _errs4 = errors;
const _errs5 = errors;
if((typeof data1 !== "string") && (data1 !== null)){
validate40.errors = [{instancePath:instancePath+"/topic0",schemaPath:"#/components/schemas/Topic/type",keyword:"type",params:{type: schema92.type},message:"must be string,null"}];
return false;
}
if(errors === _errs5){
if(typeof data1 === "string"){
if(!pattern6.test(data1)){
validate40.errors = [{instancePath:instancePath+"/topic0",schemaPath:"#/components/schemas/Topic/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{64}$"},message:"must match pattern \""+"^0x[0-9a-f]{64}$"+"\""}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.topic1 !== undefined){
let data2 = data.topic1;
const _errs7 = errors;
const _errs8 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate40.errors = [{instancePath:instancePath+"/topic1",schemaPath:"#/components/schemas/Topic/type",keyword:"type",params:{type: schema92.type},message:"must be string,null"}];
return false;
}
if(errors === _errs8){
if(typeof data2 === "string"){
if(!pattern6.test(data2)){
validate40.errors = [{instancePath:instancePath+"/topic1",schemaPath:"#/components/schemas/Topic/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{64}$"},message:"must match pattern \""+"^0x[0-9a-f]{64}$"+"\""}];
return false;
}
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.topic2 !== undefined){
let data3 = data.topic2;
const _errs10 = errors;
const _errs11 = errors;
if((typeof data3 !== "string") && (data3 !== null)){
validate40.errors = [{instancePath:instancePath+"/topic2",schemaPath:"#/components/schemas/Topic/type",keyword:"type",params:{type: schema92.type},message:"must be string,null"}];
return false;
}
if(errors === _errs11){
if(typeof data3 === "string"){
if(!pattern6.test(data3)){
validate40.errors = [{instancePath:instancePath+"/topic2",schemaPath:"#/components/schemas/Topic/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{64}$"},message:"must match pattern \""+"^0x[0-9a-f]{64}$"+"\""}];
return false;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.topic3 !== undefined){
let data4 = data.topic3;
const _errs13 = errors;
const _errs14 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate40.errors = [{instancePath:instancePath+"/topic3",schemaPath:"#/components/schemas/Topic/type",keyword:"type",params:{type: schema92.type},message:"must be string,null"}];
return false;
}
if(errors === _errs14){
if(typeof data4 === "string"){
if(!pattern6.test(data4)){
validate40.errors = [{instancePath:instancePath+"/topic3",schemaPath:"#/components/schemas/Topic/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{64}$"},message:"must match pattern \""+"^0x[0-9a-f]{64}$"+"\""}];
return false;
}
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.data !== undefined){
let data5 = data.data;
const _errs16 = errors;
const _errs17 = errors;
if(errors === _errs17){
if(typeof data5 === "string"){
if(!pattern15.test(data5)){
validate40.errors = [{instancePath:instancePath+"/data",schemaPath:"#/components/schemas/HexData/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]*$"},message:"must match pattern \""+"^0x[0-9a-f]*$"+"\""}];
return false;
}
}
else {
validate40.errors = [{instancePath:instancePath+"/data",schemaPath:"#/components/schemas/HexData/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.transactionIndex !== undefined){
let data6 = data.transactionIndex;
const _errs19 = errors;
if(!((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6)))){
validate40.errors = [{instancePath:instancePath+"/transactionIndex",schemaPath:"#/properties/transactionIndex/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs19){
if(typeof data6 == "number"){
if(data6 < 0 || isNaN(data6)){
validate40.errors = [{instancePath:instancePath+"/transactionIndex",schemaPath:"#/properties/transactionIndex/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.logIndex !== undefined){
let data7 = data.logIndex;
const _errs21 = errors;
if(!((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7)))){
validate40.errors = [{instancePath:instancePath+"/logIndex",schemaPath:"#/properties/logIndex/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs21){
if(typeof data7 == "number"){
if(data7 < 0 || isNaN(data7)){
validate40.errors = [{instancePath:instancePath+"/logIndex",schemaPath:"#/properties/logIndex/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs21 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.removed !== undefined){
const _errs23 = errors;
if(typeof data.removed !== "boolean"){
validate40.errors = [{instancePath:instancePath+"/removed",schemaPath:"#/properties/removed/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs23 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.decoded !== undefined){
let data9 = data.decoded;
const _errs25 = errors;
const _errs26 = errors;
if(errors === _errs26){
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
let missing1;
if((((data9.name === undefined) && (missing1 = "name")) || ((data9.signature === undefined) && (missing1 = "signature"))) || ((data9.args === undefined) && (missing1 = "args"))){
validate40.errors = [{instancePath:instancePath+"/decoded",schemaPath:"#/components/schemas/DecodedLog/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data9.name !== undefined){
const _errs28 = errors;
if(typeof data9.name !== "string"){
validate40.errors = [{instancePath:instancePath+"/decoded/name",schemaPath:"#/components/schemas/DecodedLog/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid8 = _errs28 === errors;
}
else {
var valid8 = true;
}
if(valid8){
if(data9.signature !== undefined){
const _errs30 = errors;
if(typeof data9.signature !== "string"){
validate40.errors = [{instancePath:instancePath+"/decoded/signature",schemaPath:"#/components/schemas/DecodedLog/properties/signature/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid8 = _errs30 === errors;
}
else {
var valid8 = true;
}
if(valid8){
if(data9.args !== undefined){
let data12 = data9.args;
const _errs32 = errors;
if(errors === _errs32){
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
}
else {
validate40.errors = [{instancePath:instancePath+"/decoded/args",schemaPath:"#/components/schemas/DecodedLog/properties/args/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid8 = _errs32 === errors;
}
else {
var valid8 = true;
}
}
}
}
}
else {
validate40.errors = [{instancePath:instancePath+"/decoded",schemaPath:"#/components/schemas/DecodedLog/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.undecoded !== undefined){
const _errs35 = errors;
if(typeof data.undecoded !== "string"){
validate40.errors = [{instancePath:instancePath+"/undecoded",schemaPath:"#/properties/undecoded/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs35 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate40.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate40.errors = vErrors;
return errors === 0;
}
validate40.evaluated = {"props":{"address":true,"topic0":true,"topic1":true,"topic2":true,"topic3":true,"data":true,"transactionIndex":true,"logIndex":true,"removed":true,"decoded":true,"undecoded":true},"dynamicProps":false,"dynamicItems":false};


function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate23.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.transaction === undefined) && (missing0 = "transaction")){
validate23.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.finalized !== undefined){
const _errs1 = errors;
if(typeof data.finalized !== "boolean"){
validate23.errors = [{instancePath:instancePath+"/finalized",schemaPath:"#/properties/finalized/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.confirmations !== undefined){
let data1 = data.confirmations;
const _errs3 = errors;
if(!((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1)))){
validate23.errors = [{instancePath:instancePath+"/confirmations",schemaPath:"#/properties/confirmations/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs3){
if(typeof data1 == "number"){
if(data1 < 0 || isNaN(data1)){
validate23.errors = [{instancePath:instancePath+"/confirmations",schemaPath:"#/properties/confirmations/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.transaction !== undefined){
const _errs5 = errors;
if(!(validate24(data.transaction, {instancePath:instancePath+"/transaction",parentData:data,parentDataProperty:"transaction",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.logs !== undefined){
let data3 = data.logs;
const _errs6 = errors;
if(errors === _errs6){
if(Array.isArray(data3)){
var valid1 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
const _errs8 = errors;
if(!(validate40(data3[i0], {instancePath:instancePath+"/logs/" + i0,parentData:data3,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate40.errors : vErrors.concat(validate40.errors);
errors = vErrors.length;
}
var valid1 = _errs8 === errors;
if(!valid1){
break;
}
}
}
else {
validate23.errors = [{instancePath:instancePath+"/logs",schemaPath:"#/properties/logs/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.removed !== undefined){
const _errs9 = errors;
if(typeof data.removed !== "boolean"){
validate23.errors = [{instancePath:instancePath+"/removed",schemaPath:"#/properties/removed/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate23.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate23.errors = vErrors;
return errors === 0;
}
validate23.evaluated = {"props":{"finalized":true,"confirmations":true,"transaction":true,"logs":true,"removed":true},"dynamicProps":false,"dynamicItems":false};


function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate22.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.webhookId === undefined) && (missing0 = "webhookId")) || ((data.eventType === undefined) && (missing0 = "eventType"))) || ((data.messageId === undefined) && (missing0 = "messageId"))) || ((data.event === undefined) && (missing0 = "event"))){
validate22.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.webhookId !== undefined){
let data0 = data.webhookId;
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(!pattern4.test(data0)){
validate22.errors = [{instancePath:instancePath+"/webhookId",schemaPath:"#/components/schemas/Uuid/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"},message:"must match pattern \""+"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"+"\""}];
return false;
}
}
else {
validate22.errors = [{instancePath:instancePath+"/webhookId",schemaPath:"#/components/schemas/Uuid/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.eventType !== undefined){
const _errs4 = errors;
if(typeof data.eventType !== "string"){
validate22.errors = [{instancePath:instancePath+"/eventType",schemaPath:"#/components/schemas/EventType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.messageId !== undefined){
let data2 = data.messageId;
const _errs7 = errors;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data2 === "string"){
if(!pattern4.test(data2)){
validate22.errors = [{instancePath:instancePath+"/messageId",schemaPath:"#/components/schemas/Uuid/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"},message:"must match pattern \""+"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"+"\""}];
return false;
}
}
else {
validate22.errors = [{instancePath:instancePath+"/messageId",schemaPath:"#/components/schemas/Uuid/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.event !== undefined){
const _errs10 = errors;
if(!(validate23(data.event, {instancePath:instancePath+"/event",parentData:data,parentDataProperty:"event",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate23.errors : vErrors.concat(validate23.errors);
errors = vErrors.length;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate22.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":{"webhookId":true,"eventType":true,"messageId":true,"event":true},"dynamicProps":false,"dynamicItems":false};


function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate20.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate22(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":{"webhookId":true,"eventType":true,"messageId":true,"event":true},"dynamicProps":false,"dynamicItems":false};

