// Made from openapi/openapi.yaml by `npm run generate`. Do not edit.
import { fullFormats } from "ajv-formats/dist/formats.js";
"use strict";
export const check0 = validate52;
const schema19 = {"type":"string","minLength":1,"maxLength":255,"pattern":"^[!-~]+$"};
const func1 = (text) => [...text].length;
const pattern3 = new RegExp("^[!-~]+$", "");

function validate52(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate52.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 255){
validate52.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"}];
return false;
}
else {
if(func1(data) < 1){
validate52.errors = [{instancePath,schemaPath:"#/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern3.test(data)){
validate52.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[!-~]+$"},message:"must match pattern \""+"^[!-~]+$"+"\""}];
return false;
}
}
}
}
else {
validate52.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate52.errors = vErrors;
return errors === 0;
}
validate52.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check1 = validate53;
const schema20 = {"$ref":"contract#/components/schemas/WebhookCreate"};
const schema22 = {"type":"object","required":["chainId","eventType","metadata"],"additionalProperties":false,"properties":{"url":{"$ref":"#/components/schemas/WebhookUrl","x-check":2},"chainId":{"$ref":"#/components/schemas/ChainId","x-check":3},"eventType":{"$ref":"#/components/schemas/EventType","x-check":4},"metadata":{"$ref":"#/components/schemas/WebhookMetadataInput","x-check":5},"name":{"$ref":"#/components/schemas/WebhookName","x-check":28},"description":{"$ref":"#/components/schemas/WebhookDescription","x-check":29},"includeInternalTxs":{"$ref":"#/components/schemas/IncludeInternalTxs","x-check":30},"includeLogs":{"$ref":"#/components/schemas/IncludeLogs","x-check":31},"finality":{"$ref":"#/components/schemas/FinalityInput","x-check":32},"compatibility":{"$ref":"#/components/schemas/CompatibilityInput","x-check":34},"fromBlock":{"$ref":"#/components/schemas/FromBlock","x-check":35},"historyMode":{"$ref":"#/components/schemas/HistoryModeInput","x-check":36},"delivery":{"$ref":"#/components/schemas/DeliveryInput","x-check":37},"maxPerSecond":{"$ref":"#/components/schemas/MaxPerSecondInput","x-check":38},"headers":{"$ref":"#/components/schemas/HeadersInput","x-check":39}}};
const func3 = Object.prototype.hasOwnProperty;
const schema23 = {"type":"string","format":"uri","pattern":"^[hH][tT][tT][pP][sS]?://[^\\s/?#@]+([/?#]\\S*)?$","maxLength":2048,"example":"https://example.com/hooks/transfers"};
const formats0 = fullFormats.uri;
const pattern4 = new RegExp("^[hH][tT][tT][pP][sS]?://[^\\s/?#@]+([/?#]\\S*)?$", "");

function validate56(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate56.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 2048){
validate56.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"}];
return false;
}
else {
if(!pattern4.test(data)){
validate56.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[hH][tT][tT][pP][sS]?://[^\\s/?#@]+([/?#]\\S*)?$"},message:"must match pattern \""+"^[hH][tT][tT][pP][sS]?://[^\\s/?#@]+([/?#]\\S*)?$"+"\""}];
return false;
}
else {
if(!(formats0(data))){
validate56.errors = [{instancePath,schemaPath:"#/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
}
}
else {
validate56.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
validate56.errors = vErrors;
return errors === 0;
}
validate56.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema24 = {"type":"string","pattern":"^[1-9][0-9]{0,18}$","example":"43114"};
const pattern5 = new RegExp("^[1-9][0-9]{0,18}$", "");

function validate58(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate58.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern5.test(data)){
validate58.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[1-9][0-9]{0,18}$"},message:"must match pattern \""+"^[1-9][0-9]{0,18}$"+"\""}];
return false;
}
}
else {
validate58.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate58.errors = vErrors;
return errors === 0;
}
validate58.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema25 = {"type":"string","enum":["address_activity"],"example":"address_activity"};

function validate60(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate60.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate60.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(data === "address_activity")){
validate60.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema25.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate60.errors = vErrors;
return errors === 0;
}
validate60.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema26 = {"type":"object","additionalProperties":false,"properties":{"addresses":{"type":"array","minItems":1,"maxItems":10000,"items":{"$ref":"#/components/schemas/AddressInput"},"x-check":6},"eventSignatures":{"type":"array","maxItems":100,"items":{"$ref":"#/components/schemas/EventSignatureInput"},"x-check":7},"includeInternalTxs":{"$ref":"#/components/schemas/IncludeInternalTxs","x-check":8},"includeLogs":{"$ref":"#/components/schemas/IncludeLogs","x-check":9},"includeTransfers":{"$ref":"#/components/schemas/IncludeTransfers","x-check":10},"abi":{"type":"array","minItems":1,"maxItems":100,"items":{"$ref":"#/components/schemas/AbiEventInput"},"x-check":11},"conditions":{"$ref":"#/components/schemas/ConditionInput","x-check":12},"anyAddress":{"$ref":"#/components/schemas/AnyAddress","x-check":19},"createdBy":{"$ref":"#/components/schemas/CreatedByInput","x-check":20},"batch":{"$ref":"#/components/schemas/BatchInput","x-check":24},"ordered":{"$ref":"#/components/schemas/Ordered","x-check":27}}};
const schema27 = {"type":"string","pattern":"^0x[0-9a-fA-F]{40}$","example":"0x5425890298aed601595a70AB815c96711a31Bc65"};
const pattern6 = new RegExp("^0x[0-9a-fA-F]{40}$", "");

function validate63(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate63.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern6.test(data)){
validate63.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{40}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{40}$"+"\""}];
return false;
}
}
else {
validate63.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate63.errors = vErrors;
return errors === 0;
}
validate63.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema28 = {"type":"string","pattern":"^0x[0-9a-fA-F]{64}$","example":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"};
const pattern7 = new RegExp("^0x[0-9a-fA-F]{64}$", "");

function validate65(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate65.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern7.test(data)){
validate65.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{64}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{64}$"+"\""}];
return false;
}
}
else {
validate65.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate65.errors = vErrors;
return errors === 0;
}
validate65.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema29 = {"type":"boolean","example":false};

function validate67(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate67.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate67.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate67.errors = vErrors;
return errors === 0;
}
validate67.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema30 = {"type":"boolean","example":true};

function validate69(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate69.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate69.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate69.errors = vErrors;
return errors === 0;
}
validate69.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema31 = {"type":"boolean","example":true};

function validate71(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate71.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate71.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate71.errors = vErrors;
return errors === 0;
}
validate71.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema32 = {"type":"object","required":["type","name","inputs"],"additionalProperties":false,"properties":{"type":{"type":"string","enum":["event"]},"name":{"type":"string","maxLength":200,"pattern":"^[a-zA-Z_$][a-zA-Z0-9_$]*$","example":"Transfer"},"inputs":{"type":"array","maxItems":20,"items":{"$ref":"#/components/schemas/AbiParameterInput"}},"anonymous":{"type":"boolean"}}};
const pattern8 = new RegExp("^[a-zA-Z_$][a-zA-Z0-9_$]*$", "");
const schema33 = {"type":"object","required":["type"],"additionalProperties":false,"properties":{"name":{"type":"string","maxLength":200,"pattern":"^([a-zA-Z_$][a-zA-Z0-9_$]*)?$","example":"from"},"type":{"type":"string","maxLength":100,"pattern":"^[a-z0-9]+(\\[[0-9]*\\])*$","example":"address"},"internalType":{"type":"string","maxLength":200,"pattern":"^[^\\u0000]*$"},"indexed":{"type":"boolean"},"components":{"type":"array","maxItems":20,"items":{"$ref":"#/components/schemas/AbiParameterInput"}}}};
const pattern9 = new RegExp("^([a-zA-Z_$][a-zA-Z0-9_$]*)?$", "");
const pattern10 = new RegExp("^[a-z0-9]+(\\[[0-9]*\\])*$", "");
const pattern11 = new RegExp("^[^\\u0000]*$", "");
const wrapper0 = {validate: validate74};

function validate74(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate74.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.type === undefined) && (missing0 = "type")){
validate74.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "name") || (key0 === "type")) || (key0 === "internalType")) || (key0 === "indexed")) || (key0 === "components"))){
validate74.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.name !== undefined){
let data0 = data.name;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) > 200){
validate74.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern9.test(data0)){
validate74.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/pattern",keyword:"pattern",params:{pattern: "^([a-zA-Z_$][a-zA-Z0-9_$]*)?$"},message:"must match pattern \""+"^([a-zA-Z_$][a-zA-Z0-9_$]*)?$"+"\""}];
return false;
}
}
}
else {
validate74.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
let data1 = data.type;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(func1(data1) > 100){
validate74.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"}];
return false;
}
else {
if(!pattern10.test(data1)){
validate74.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9]+(\\[[0-9]*\\])*$"},message:"must match pattern \""+"^[a-z0-9]+(\\[[0-9]*\\])*$"+"\""}];
return false;
}
}
}
else {
validate74.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.internalType !== undefined){
let data2 = data.internalType;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(func1(data2) > 200){
validate74.errors = [{instancePath:instancePath+"/internalType",schemaPath:"#/properties/internalType/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern11.test(data2)){
validate74.errors = [{instancePath:instancePath+"/internalType",schemaPath:"#/properties/internalType/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
else {
validate74.errors = [{instancePath:instancePath+"/internalType",schemaPath:"#/properties/internalType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.indexed !== undefined){
const _errs8 = errors;
if(typeof data.indexed !== "boolean"){
validate74.errors = [{instancePath:instancePath+"/indexed",schemaPath:"#/properties/indexed/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.components !== undefined){
let data4 = data.components;
const _errs10 = errors;
if(errors === _errs10){
if(Array.isArray(data4)){
if(data4.length > 20){
validate74.errors = [{instancePath:instancePath+"/components",schemaPath:"#/properties/components/maxItems",keyword:"maxItems",params:{limit: 20},message:"must NOT have more than 20 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
const _errs12 = errors;
if(!(wrapper0.validate(data4[i0], {instancePath:instancePath+"/components/" + i0,parentData:data4,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
var valid1 = _errs12 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate74.errors = [{instancePath:instancePath+"/components",schemaPath:"#/properties/components/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
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
}
}
else {
validate74.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate74.errors = vErrors;
return errors === 0;
}
validate74.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate73(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate73.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.type === undefined) && (missing0 = "type")) || ((data.name === undefined) && (missing0 = "name"))) || ((data.inputs === undefined) && (missing0 = "inputs"))){
validate73.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "type") || (key0 === "name")) || (key0 === "inputs")) || (key0 === "anonymous"))){
validate73.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.type !== undefined){
let data0 = data.type;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate73.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(data0 === "event")){
validate73.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/enum",keyword:"enum",params:{allowedValues: schema32.properties.type.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(func1(data1) > 200){
validate73.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern8.test(data1)){
validate73.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/pattern",keyword:"pattern",params:{pattern: "^[a-zA-Z_$][a-zA-Z0-9_$]*$"},message:"must match pattern \""+"^[a-zA-Z_$][a-zA-Z0-9_$]*$"+"\""}];
return false;
}
}
}
else {
validate73.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.inputs !== undefined){
let data2 = data.inputs;
const _errs6 = errors;
if(errors === _errs6){
if(Array.isArray(data2)){
if(data2.length > 20){
validate73.errors = [{instancePath:instancePath+"/inputs",schemaPath:"#/properties/inputs/maxItems",keyword:"maxItems",params:{limit: 20},message:"must NOT have more than 20 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
const _errs8 = errors;
if(!(validate74(data2[i0], {instancePath:instancePath+"/inputs/" + i0,parentData:data2,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate74.errors : vErrors.concat(validate74.errors);
errors = vErrors.length;
}
var valid1 = _errs8 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate73.errors = [{instancePath:instancePath+"/inputs",schemaPath:"#/properties/inputs/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.anonymous !== undefined){
const _errs9 = errors;
if(typeof data.anonymous !== "boolean"){
validate73.errors = [{instancePath:instancePath+"/anonymous",schemaPath:"#/properties/anonymous/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
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
validate73.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate73.errors = vErrors;
return errors === 0;
}
validate73.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema34 = {"type":"object","additionalProperties":false,"properties":{"all":{"type":"array","minItems":1,"maxItems":50,"items":{"$ref":"#/components/schemas/ConditionInput"},"x-check":13},"any":{"type":"array","minItems":1,"maxItems":50,"items":{"$ref":"#/components/schemas/ConditionInput"},"x-check":14},"not":{"$ref":"#/components/schemas/ConditionInput","x-check":15},"field":{"type":"string","maxLength":250,"pattern":"^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$","example":"transfer.value","x-check":16},"op":{"type":"string","enum":["eq","ne","gt","gte","lt","lte","in"],"example":"gte","x-check":17},"value":{"description":"What it is compared with; a list with `in`. Numbers in decimal digits or as 0x and hex digits, compared as integers of 256 bits;\naddresses and bytes as 0x and hex digits in any case; `true` or `false`. An indexed text, array or tuple is compared by its hash.\n","type":["string","array"],"maxLength":200,"pattern":"^[^\\u0000]*$","minItems":1,"maxItems":100,"items":{"type":"string","maxLength":200,"pattern":"^[^\\u0000]*$"},"example":"1000000","x-check":18}}};
const wrapper1 = {validate: validate77};
const pattern12 = new RegExp("^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$", "");

function validate77(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate77.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "all") || (key0 === "any")) || (key0 === "not")) || (key0 === "field")) || (key0 === "op")) || (key0 === "value"))){
validate77.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.all !== undefined){
let data0 = data.all;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 50){
validate77.errors = [{instancePath:instancePath+"/all",schemaPath:"#/properties/all/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"}];
return false;
}
else {
if(data0.length < 1){
validate77.errors = [{instancePath:instancePath+"/all",schemaPath:"#/properties/all/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(wrapper1.validate(data0[i0], {instancePath:instancePath+"/all/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper1.validate.errors : vErrors.concat(wrapper1.validate.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate77.errors = [{instancePath:instancePath+"/all",schemaPath:"#/properties/all/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.any !== undefined){
let data2 = data.any;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data2)){
if(data2.length > 50){
validate77.errors = [{instancePath:instancePath+"/any",schemaPath:"#/properties/any/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"}];
return false;
}
else {
if(data2.length < 1){
validate77.errors = [{instancePath:instancePath+"/any",schemaPath:"#/properties/any/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid2 = true;
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
const _errs7 = errors;
if(!(wrapper1.validate(data2[i1], {instancePath:instancePath+"/any/" + i1,parentData:data2,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper1.validate.errors : vErrors.concat(wrapper1.validate.errors);
errors = vErrors.length;
}
var valid2 = _errs7 === errors;
if(!valid2){
break;
}
}
}
}
}
else {
validate77.errors = [{instancePath:instancePath+"/any",schemaPath:"#/properties/any/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.not !== undefined){
const _errs8 = errors;
if(!(wrapper1.validate(data.not, {instancePath:instancePath+"/not",parentData:data,parentDataProperty:"not",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper1.validate.errors : vErrors.concat(wrapper1.validate.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.field !== undefined){
let data5 = data.field;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data5 === "string"){
if(func1(data5) > 250){
validate77.errors = [{instancePath:instancePath+"/field",schemaPath:"#/properties/field/maxLength",keyword:"maxLength",params:{limit: 250},message:"must NOT have more than 250 characters"}];
return false;
}
else {
if(!pattern12.test(data5)){
validate77.errors = [{instancePath:instancePath+"/field",schemaPath:"#/properties/field/pattern",keyword:"pattern",params:{pattern: "^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$"},message:"must match pattern \""+"^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$"+"\""}];
return false;
}
}
}
else {
validate77.errors = [{instancePath:instancePath+"/field",schemaPath:"#/properties/field/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.op !== undefined){
let data6 = data.op;
const _errs11 = errors;
if(typeof data6 !== "string"){
validate77.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((((((data6 === "eq") || (data6 === "ne")) || (data6 === "gt")) || (data6 === "gte")) || (data6 === "lt")) || (data6 === "lte")) || (data6 === "in"))){
validate77.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/enum",keyword:"enum",params:{allowedValues: schema34.properties.op.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.value !== undefined){
let data7 = data.value;
const _errs13 = errors;
if((typeof data7 !== "string") && (!(Array.isArray(data7)))){
validate77.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/type",keyword:"type",params:{type: schema34.properties.value.type},message:"must be string,array"}];
return false;
}
if(errors === _errs13){
if(typeof data7 === "string"){
if(func1(data7) > 200){
validate77.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern11.test(data7)){
validate77.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
if(errors === _errs13){
if(Array.isArray(data7)){
if(data7.length > 100){
validate77.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
if(data7.length < 1){
validate77.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid3 = true;
const len2 = data7.length;
for(let i2=0; i2<len2; i2++){
let data8 = data7[i2];
const _errs15 = errors;
if(errors === _errs15){
if(typeof data8 === "string"){
if(func1(data8) > 200){
validate77.errors = [{instancePath:instancePath+"/value/" + i2,schemaPath:"#/properties/value/items/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern11.test(data8)){
validate77.errors = [{instancePath:instancePath+"/value/" + i2,schemaPath:"#/properties/value/items/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
else {
validate77.errors = [{instancePath:instancePath+"/value/" + i2,schemaPath:"#/properties/value/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs15 === errors;
if(!valid3){
break;
}
}
}
}
}
}
}
var valid0 = _errs13 === errors;
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
validate77.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate77.errors = vErrors;
return errors === 0;
}
validate77.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema35 = {"type":"boolean","example":false};

function validate79(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate79.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate79.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate79.errors = vErrors;
return errors === 0;
}
validate79.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema36 = {"type":"object","required":["address","eventSignature","argument"],"additionalProperties":false,"properties":{"address":{"$ref":"#/components/schemas/AddressInput","x-check":21},"eventSignature":{"$ref":"#/components/schemas/EventSignatureInput","x-check":22},"argument":{"$ref":"#/components/schemas/CreatedByArgument","x-check":23}}};
const schema37 = {"type":"string","pattern":"^(topic[1-3]|data([0-9]|[1-9][0-9]))$","example":"data0"};
const pattern15 = new RegExp("^(topic[1-3]|data([0-9]|[1-9][0-9]))$", "");

function validate84(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate84.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern15.test(data)){
validate84.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(topic[1-3]|data([0-9]|[1-9][0-9]))$"},message:"must match pattern \""+"^(topic[1-3]|data([0-9]|[1-9][0-9]))$"+"\""}];
return false;
}
}
else {
validate84.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate84.errors = vErrors;
return errors === 0;
}
validate84.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate81(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate81.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.address === undefined) && (missing0 = "address")) || ((data.eventSignature === undefined) && (missing0 = "eventSignature"))) || ((data.argument === undefined) && (missing0 = "argument"))){
validate81.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "address") || (key0 === "eventSignature")) || (key0 === "argument"))){
validate81.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.address !== undefined){
const _errs2 = errors;
if(!(validate63(data.address, {instancePath:instancePath+"/address",parentData:data,parentDataProperty:"address",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.eventSignature !== undefined){
const _errs3 = errors;
if(!(validate65(data.eventSignature, {instancePath:instancePath+"/eventSignature",parentData:data,parentDataProperty:"eventSignature",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.argument !== undefined){
const _errs4 = errors;
if(!(validate84(data.argument, {instancePath:instancePath+"/argument",parentData:data,parentDataProperty:"argument",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
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
validate81.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate81.errors = vErrors;
return errors === 0;
}
validate81.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema38 = {"type":"object","required":["maxItems"],"additionalProperties":false,"properties":{"maxItems":{"$ref":"#/components/schemas/BatchMaxItems","x-check":25},"maxWaitMs":{"$ref":"#/components/schemas/BatchMaxWaitMs","x-check":26}}};
const schema39 = {"type":"integer","minimum":1,"maximum":100,"example":50};

function validate88(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate88.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate88.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 100 || isNaN(data)){
validate88.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100},message:"must be <= 100"}];
return false;
}
else {
if(data < 1 || isNaN(data)){
validate88.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
validate88.errors = vErrors;
return errors === 0;
}
validate88.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema40 = {"type":"integer","minimum":0,"maximum":60000,"example":1000};

function validate90(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate90.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate90.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 60000 || isNaN(data)){
validate90.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60000},message:"must be <= 60000"}];
return false;
}
else {
if(data < 0 || isNaN(data)){
validate90.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
validate90.errors = vErrors;
return errors === 0;
}
validate90.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate87(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate87.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.maxItems === undefined) && (missing0 = "maxItems")){
validate87.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "maxItems") || (key0 === "maxWaitMs"))){
validate87.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.maxItems !== undefined){
const _errs2 = errors;
if(!(validate88(data.maxItems, {instancePath:instancePath+"/maxItems",parentData:data,parentDataProperty:"maxItems",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate88.errors : vErrors.concat(validate88.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.maxWaitMs !== undefined){
const _errs3 = errors;
if(!(validate90(data.maxWaitMs, {instancePath:instancePath+"/maxWaitMs",parentData:data,parentDataProperty:"maxWaitMs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate90.errors : vErrors.concat(validate90.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate87.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate87.errors = vErrors;
return errors === 0;
}
validate87.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema41 = {"type":"boolean","example":false};

function validate93(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate93.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate93.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate93.errors = vErrors;
return errors === 0;
}
validate93.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate62(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate62.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(func3.call(schema26.properties, key0))){
validate62.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.addresses !== undefined){
let data0 = data.addresses;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 10000){
validate62.errors = [{instancePath:instancePath+"/addresses",schemaPath:"#/properties/addresses/maxItems",keyword:"maxItems",params:{limit: 10000},message:"must NOT have more than 10000 items"}];
return false;
}
else {
if(data0.length < 1){
validate62.errors = [{instancePath:instancePath+"/addresses",schemaPath:"#/properties/addresses/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate63(data0[i0], {instancePath:instancePath+"/addresses/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate62.errors = [{instancePath:instancePath+"/addresses",schemaPath:"#/properties/addresses/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.eventSignatures !== undefined){
let data2 = data.eventSignatures;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data2)){
if(data2.length > 100){
validate62.errors = [{instancePath:instancePath+"/eventSignatures",schemaPath:"#/properties/eventSignatures/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
var valid2 = true;
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
const _errs7 = errors;
if(!(validate65(data2[i1], {instancePath:instancePath+"/eventSignatures/" + i1,parentData:data2,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors);
errors = vErrors.length;
}
var valid2 = _errs7 === errors;
if(!valid2){
break;
}
}
}
}
else {
validate62.errors = [{instancePath:instancePath+"/eventSignatures",schemaPath:"#/properties/eventSignatures/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.includeInternalTxs !== undefined){
const _errs8 = errors;
if(!(validate67(data.includeInternalTxs, {instancePath:instancePath+"/includeInternalTxs",parentData:data,parentDataProperty:"includeInternalTxs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate67.errors : vErrors.concat(validate67.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.includeLogs !== undefined){
const _errs9 = errors;
if(!(validate69(data.includeLogs, {instancePath:instancePath+"/includeLogs",parentData:data,parentDataProperty:"includeLogs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate69.errors : vErrors.concat(validate69.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.includeTransfers !== undefined){
const _errs10 = errors;
if(!(validate71(data.includeTransfers, {instancePath:instancePath+"/includeTransfers",parentData:data,parentDataProperty:"includeTransfers",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate71.errors : vErrors.concat(validate71.errors);
errors = vErrors.length;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.abi !== undefined){
let data7 = data.abi;
const _errs11 = errors;
if(errors === _errs11){
if(Array.isArray(data7)){
if(data7.length > 100){
validate62.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
if(data7.length < 1){
validate62.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid3 = true;
const len2 = data7.length;
for(let i2=0; i2<len2; i2++){
const _errs13 = errors;
if(!(validate73(data7[i2], {instancePath:instancePath+"/abi/" + i2,parentData:data7,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate73.errors : vErrors.concat(validate73.errors);
errors = vErrors.length;
}
var valid3 = _errs13 === errors;
if(!valid3){
break;
}
}
}
}
}
else {
validate62.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.conditions !== undefined){
const _errs14 = errors;
if(!(validate77(data.conditions, {instancePath:instancePath+"/conditions",parentData:data,parentDataProperty:"conditions",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.anyAddress !== undefined){
const _errs15 = errors;
if(!(validate79(data.anyAddress, {instancePath:instancePath+"/anyAddress",parentData:data,parentDataProperty:"anyAddress",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate79.errors : vErrors.concat(validate79.errors);
errors = vErrors.length;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdBy !== undefined){
const _errs16 = errors;
if(!(validate81(data.createdBy, {instancePath:instancePath+"/createdBy",parentData:data,parentDataProperty:"createdBy",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate81.errors : vErrors.concat(validate81.errors);
errors = vErrors.length;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.batch !== undefined){
const _errs17 = errors;
if(!(validate87(data.batch, {instancePath:instancePath+"/batch",parentData:data,parentDataProperty:"batch",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate87.errors : vErrors.concat(validate87.errors);
errors = vErrors.length;
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ordered !== undefined){
const _errs18 = errors;
if(!(validate93(data.ordered, {instancePath:instancePath+"/ordered",parentData:data,parentDataProperty:"ordered",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate93.errors : vErrors.concat(validate93.errors);
errors = vErrors.length;
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
}
}
}
}
else {
validate62.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate62.errors = vErrors;
return errors === 0;
}
validate62.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema42 = {"type":"string","maxLength":200,"pattern":"^[^\\u0000]*$","example":"NFT transfers"};

function validate96(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate96.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 200){
validate96.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern11.test(data)){
validate96.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
else {
validate96.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate96.errors = vErrors;
return errors === 0;
}
validate96.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema43 = {"type":"string","maxLength":2000,"pattern":"^[^\\u0000]*$","example":"Transfers of our collection"};

function validate98(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate98.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 2000){
validate98.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters"}];
return false;
}
else {
if(!pattern11.test(data)){
validate98.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
else {
validate98.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate98.errors = vErrors;
return errors === 0;
}
validate98.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema44 = {"type":["string","object"],"pattern":"^(instant|finalized|both)$","required":["confirmations"],"additionalProperties":false,"properties":{"confirmations":{"$ref":"#/components/schemas/Confirmations","x-check":33}},"example":"finalized"};
const pattern18 = new RegExp("^(instant|finalized|both)$", "");
const schema45 = {"type":"integer","minimum":1,"maximum":10000,"example":12};

function validate103(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate103.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate103.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 10000 || isNaN(data)){
validate103.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000},message:"must be <= 10000"}];
return false;
}
else {
if(data < 1 || isNaN(data)){
validate103.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
validate103.errors = vErrors;
return errors === 0;
}
validate103.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate102(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate102.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((typeof data !== "string") && (!(data && typeof data == "object" && !Array.isArray(data)))){
validate102.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema44.type},message:"must be string,object"}];
return false;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern18.test(data)){
validate102.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(instant|finalized|both)$"},message:"must match pattern \""+"^(instant|finalized|both)$"+"\""}];
return false;
}
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.confirmations === undefined) && (missing0 = "confirmations")){
validate102.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "confirmations")){
validate102.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.confirmations !== undefined){
if(!(validate103(data.confirmations, {instancePath:instancePath+"/confirmations",parentData:data,parentDataProperty:"confirmations",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate103.errors : vErrors.concat(validate103.errors);
errors = vErrors.length;
}
}
}
}
}
}
}
validate102.errors = vErrors;
return errors === 0;
}
validate102.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema46 = {"type":"string","pattern":"^glacier$","example":"glacier"};
const pattern19 = new RegExp("^glacier$", "");

function validate106(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate106.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern19.test(data)){
validate106.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^glacier$"},message:"must match pattern \""+"^glacier$"+"\""}];
return false;
}
}
else {
validate106.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate106.errors = vErrors;
return errors === 0;
}
validate106.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema47 = {"type":"string","pattern":"^(0|[1-9][0-9]{0,18})$","example":"11970506"};
const pattern20 = new RegExp("^(0|[1-9][0-9]{0,18})$", "");

function validate108(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate108.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern20.test(data)){
validate108.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]{0,18})$"},message:"must match pattern \""+"^(0|[1-9][0-9]{0,18})$"+"\""}];
return false;
}
}
else {
validate108.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate108.errors = vErrors;
return errors === 0;
}
validate108.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema48 = {"type":"string","pattern":"^(complete|headers|logs)$","example":"headers"};
const pattern21 = new RegExp("^(complete|headers|logs)$", "");

function validate110(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate110.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern21.test(data)){
validate110.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(complete|headers|logs)$"},message:"must match pattern \""+"^(complete|headers|logs)$"+"\""}];
return false;
}
}
else {
validate110.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate110.errors = vErrors;
return errors === 0;
}
validate110.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema49 = {"type":"string","pattern":"^(url|feed)$","example":"feed"};
const pattern22 = new RegExp("^(url|feed)$", "");

function validate112(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate112.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern22.test(data)){
validate112.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(url|feed)$"},message:"must match pattern \""+"^(url|feed)$"+"\""}];
return false;
}
}
else {
validate112.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate112.errors = vErrors;
return errors === 0;
}
validate112.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema50 = {"type":"integer","minimum":0,"maximum":1000,"example":20};

function validate114(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate114.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate114.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 1000 || isNaN(data)){
validate114.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000"}];
return false;
}
else {
if(data < 0 || isNaN(data)){
validate114.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
validate114.errors = vErrors;
return errors === 0;
}
validate114.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema51 = {"type":["object","null"],"maxProperties":10,"propertyNames":{"pattern":"^[!#-'*+.0-9A-Z^-z|~-]{1,64}$"},"additionalProperties":{"type":"string","maxLength":1024,"pattern":"^[!-~]([ -~]*[!-~])?$"},"example":{"Authorization":"Bearer 5f0c1f9a2b7d4e83","X-Route":"deposits"}};
const pattern23 = new RegExp("^[!#-'*+.0-9A-Z^-z|~-]{1,64}$", "");
const pattern24 = new RegExp("^[!-~]([ -~]*[!-~])?$", "");

function validate116(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate116.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((!(data && typeof data == "object" && !Array.isArray(data))) && (data !== null)){
validate116.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema51.type},message:"must be object,null"}];
return false;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(Object.keys(data).length > 10){
validate116.errors = [{instancePath,schemaPath:"#/maxProperties",keyword:"maxProperties",params:{limit: 10},message:"must NOT have more than 10 properties"}];
return false;
}
else {
for(const key0 in data){
const _errs1 = errors;
if(typeof key0 === "string"){
if(!pattern23.test(key0)){
const err0 = {instancePath,schemaPath:"#/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[!#-'*+.0-9A-Z^-z|~-]{1,64}$"},message:"must match pattern \""+"^[!#-'*+.0-9A-Z^-z|~-]{1,64}$"+"\"",propertyName:key0};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var valid0 = _errs1 === errors;
if(!valid0){
const err1 = {instancePath,schemaPath:"#/propertyNames",keyword:"propertyNames",params:{propertyName: key0},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate116.errors = vErrors;
return false;
break;
}
}
if(valid0){
for(const key1 in data){
let data0 = data[key1];
const _errs3 = errors;
if(errors === _errs3){
if(typeof data0 === "string"){
if(func1(data0) > 1024){
validate116.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/additionalProperties/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"}];
return false;
}
else {
if(!pattern24.test(data0)){
validate116.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/additionalProperties/pattern",keyword:"pattern",params:{pattern: "^[!-~]([ -~]*[!-~])?$"},message:"must match pattern \""+"^[!-~]([ -~]*[!-~])?$"+"\""}];
return false;
}
}
}
else {
validate116.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
}
}
}
validate116.errors = vErrors;
return errors === 0;
}
validate116.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate55(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate55.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.chainId === undefined) && (missing0 = "chainId")) || ((data.eventType === undefined) && (missing0 = "eventType"))) || ((data.metadata === undefined) && (missing0 = "metadata"))){
validate55.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func3.call(schema22.properties, key0))){
validate55.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.url !== undefined){
const _errs2 = errors;
if(!(validate56(data.url, {instancePath:instancePath+"/url",parentData:data,parentDataProperty:"url",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.chainId !== undefined){
const _errs3 = errors;
if(!(validate58(data.chainId, {instancePath:instancePath+"/chainId",parentData:data,parentDataProperty:"chainId",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate58.errors : vErrors.concat(validate58.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.eventType !== undefined){
const _errs4 = errors;
if(!(validate60(data.eventType, {instancePath:instancePath+"/eventType",parentData:data,parentDataProperty:"eventType",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
const _errs5 = errors;
if(!(validate62(data.metadata, {instancePath:instancePath+"/metadata",parentData:data,parentDataProperty:"metadata",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
const _errs6 = errors;
if(!(validate96(data.name, {instancePath:instancePath+"/name",parentData:data,parentDataProperty:"name",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate96.errors : vErrors.concat(validate96.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.description !== undefined){
const _errs7 = errors;
if(!(validate98(data.description, {instancePath:instancePath+"/description",parentData:data,parentDataProperty:"description",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate98.errors : vErrors.concat(validate98.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.includeInternalTxs !== undefined){
const _errs8 = errors;
if(!(validate67(data.includeInternalTxs, {instancePath:instancePath+"/includeInternalTxs",parentData:data,parentDataProperty:"includeInternalTxs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate67.errors : vErrors.concat(validate67.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.includeLogs !== undefined){
const _errs9 = errors;
if(!(validate69(data.includeLogs, {instancePath:instancePath+"/includeLogs",parentData:data,parentDataProperty:"includeLogs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate69.errors : vErrors.concat(validate69.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.finality !== undefined){
const _errs10 = errors;
if(!(validate102(data.finality, {instancePath:instancePath+"/finality",parentData:data,parentDataProperty:"finality",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate102.errors : vErrors.concat(validate102.errors);
errors = vErrors.length;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.compatibility !== undefined){
const _errs11 = errors;
if(!(validate106(data.compatibility, {instancePath:instancePath+"/compatibility",parentData:data,parentDataProperty:"compatibility",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate106.errors : vErrors.concat(validate106.errors);
errors = vErrors.length;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.fromBlock !== undefined){
const _errs12 = errors;
if(!(validate108(data.fromBlock, {instancePath:instancePath+"/fromBlock",parentData:data,parentDataProperty:"fromBlock",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate108.errors : vErrors.concat(validate108.errors);
errors = vErrors.length;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.historyMode !== undefined){
const _errs13 = errors;
if(!(validate110(data.historyMode, {instancePath:instancePath+"/historyMode",parentData:data,parentDataProperty:"historyMode",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate110.errors : vErrors.concat(validate110.errors);
errors = vErrors.length;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.delivery !== undefined){
const _errs14 = errors;
if(!(validate112(data.delivery, {instancePath:instancePath+"/delivery",parentData:data,parentDataProperty:"delivery",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate112.errors : vErrors.concat(validate112.errors);
errors = vErrors.length;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.maxPerSecond !== undefined){
const _errs15 = errors;
if(!(validate114(data.maxPerSecond, {instancePath:instancePath+"/maxPerSecond",parentData:data,parentDataProperty:"maxPerSecond",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate114.errors : vErrors.concat(validate114.errors);
errors = vErrors.length;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.headers !== undefined){
const _errs16 = errors;
if(!(validate116(data.headers, {instancePath:instancePath+"/headers",parentData:data,parentDataProperty:"headers",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
var valid0 = _errs16 === errors;
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
else {
validate55.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate55.errors = vErrors;
return errors === 0;
}
validate55.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate53(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate53.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate55(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors);
errors = vErrors.length;
}
validate53.errors = vErrors;
return errors === 0;
}
validate53.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check2 = validate119;
const schema52 = {"$ref":"contract#/components/schemas/WebhookUrl"};

function validate120(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate120.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 2048){
validate120.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"}];
return false;
}
else {
if(!pattern4.test(data)){
validate120.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[hH][tT][tT][pP][sS]?://[^\\s/?#@]+([/?#]\\S*)?$"},message:"must match pattern \""+"^[hH][tT][tT][pP][sS]?://[^\\s/?#@]+([/?#]\\S*)?$"+"\""}];
return false;
}
else {
if(!(formats0(data))){
validate120.errors = [{instancePath,schemaPath:"#/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
}
}
else {
validate120.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
validate120.errors = vErrors;
return errors === 0;
}
validate120.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate119(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate119.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate120(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate120.errors : vErrors.concat(validate120.errors);
errors = vErrors.length;
}
validate119.errors = vErrors;
return errors === 0;
}
validate119.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check3 = validate122;
const schema54 = {"$ref":"contract#/components/schemas/ChainId"};

function validate123(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate123.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern5.test(data)){
validate123.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[1-9][0-9]{0,18}$"},message:"must match pattern \""+"^[1-9][0-9]{0,18}$"+"\""}];
return false;
}
}
else {
validate123.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate123.errors = vErrors;
return errors === 0;
}
validate123.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate122(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate122.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate123(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate123.errors : vErrors.concat(validate123.errors);
errors = vErrors.length;
}
validate122.errors = vErrors;
return errors === 0;
}
validate122.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check4 = validate125;
const schema56 = {"$ref":"contract#/components/schemas/EventType"};

function validate126(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate126.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate126.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(data === "address_activity")){
validate126.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema25.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate126.errors = vErrors;
return errors === 0;
}
validate126.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate125(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate125.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate126(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate126.errors : vErrors.concat(validate126.errors);
errors = vErrors.length;
}
validate125.errors = vErrors;
return errors === 0;
}
validate125.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check5 = validate128;
const schema58 = {"$ref":"contract#/components/schemas/WebhookMetadataInput"};

function validate129(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate129.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(func3.call(schema26.properties, key0))){
validate129.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.addresses !== undefined){
let data0 = data.addresses;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 10000){
validate129.errors = [{instancePath:instancePath+"/addresses",schemaPath:"#/properties/addresses/maxItems",keyword:"maxItems",params:{limit: 10000},message:"must NOT have more than 10000 items"}];
return false;
}
else {
if(data0.length < 1){
validate129.errors = [{instancePath:instancePath+"/addresses",schemaPath:"#/properties/addresses/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate63(data0[i0], {instancePath:instancePath+"/addresses/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate129.errors = [{instancePath:instancePath+"/addresses",schemaPath:"#/properties/addresses/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.eventSignatures !== undefined){
let data2 = data.eventSignatures;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data2)){
if(data2.length > 100){
validate129.errors = [{instancePath:instancePath+"/eventSignatures",schemaPath:"#/properties/eventSignatures/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
var valid2 = true;
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
const _errs7 = errors;
if(!(validate65(data2[i1], {instancePath:instancePath+"/eventSignatures/" + i1,parentData:data2,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors);
errors = vErrors.length;
}
var valid2 = _errs7 === errors;
if(!valid2){
break;
}
}
}
}
else {
validate129.errors = [{instancePath:instancePath+"/eventSignatures",schemaPath:"#/properties/eventSignatures/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.includeInternalTxs !== undefined){
const _errs8 = errors;
if(!(validate67(data.includeInternalTxs, {instancePath:instancePath+"/includeInternalTxs",parentData:data,parentDataProperty:"includeInternalTxs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate67.errors : vErrors.concat(validate67.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.includeLogs !== undefined){
const _errs9 = errors;
if(!(validate69(data.includeLogs, {instancePath:instancePath+"/includeLogs",parentData:data,parentDataProperty:"includeLogs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate69.errors : vErrors.concat(validate69.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.includeTransfers !== undefined){
const _errs10 = errors;
if(!(validate71(data.includeTransfers, {instancePath:instancePath+"/includeTransfers",parentData:data,parentDataProperty:"includeTransfers",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate71.errors : vErrors.concat(validate71.errors);
errors = vErrors.length;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.abi !== undefined){
let data7 = data.abi;
const _errs11 = errors;
if(errors === _errs11){
if(Array.isArray(data7)){
if(data7.length > 100){
validate129.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
if(data7.length < 1){
validate129.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid3 = true;
const len2 = data7.length;
for(let i2=0; i2<len2; i2++){
const _errs13 = errors;
if(!(validate73(data7[i2], {instancePath:instancePath+"/abi/" + i2,parentData:data7,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate73.errors : vErrors.concat(validate73.errors);
errors = vErrors.length;
}
var valid3 = _errs13 === errors;
if(!valid3){
break;
}
}
}
}
}
else {
validate129.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.conditions !== undefined){
const _errs14 = errors;
if(!(validate77(data.conditions, {instancePath:instancePath+"/conditions",parentData:data,parentDataProperty:"conditions",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.anyAddress !== undefined){
const _errs15 = errors;
if(!(validate79(data.anyAddress, {instancePath:instancePath+"/anyAddress",parentData:data,parentDataProperty:"anyAddress",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate79.errors : vErrors.concat(validate79.errors);
errors = vErrors.length;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdBy !== undefined){
const _errs16 = errors;
if(!(validate81(data.createdBy, {instancePath:instancePath+"/createdBy",parentData:data,parentDataProperty:"createdBy",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate81.errors : vErrors.concat(validate81.errors);
errors = vErrors.length;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.batch !== undefined){
const _errs17 = errors;
if(!(validate87(data.batch, {instancePath:instancePath+"/batch",parentData:data,parentDataProperty:"batch",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate87.errors : vErrors.concat(validate87.errors);
errors = vErrors.length;
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ordered !== undefined){
const _errs18 = errors;
if(!(validate93(data.ordered, {instancePath:instancePath+"/ordered",parentData:data,parentDataProperty:"ordered",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate93.errors : vErrors.concat(validate93.errors);
errors = vErrors.length;
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
}
}
}
}
else {
validate129.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate129.errors = vErrors;
return errors === 0;
}
validate129.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate128(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate128.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate129(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate129.errors : vErrors.concat(validate129.errors);
errors = vErrors.length;
}
validate128.errors = vErrors;
return errors === 0;
}
validate128.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check6 = validate142;
const schema60 = {"type":"array","minItems":1,"maxItems":10000,"items":{"$ref":"contract#/components/schemas/AddressInput"}};

function validate143(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate143.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern6.test(data)){
validate143.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{40}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{40}$"+"\""}];
return false;
}
}
else {
validate143.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate143.errors = vErrors;
return errors === 0;
}
validate143.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate142(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate142.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length > 10000){
validate142.errors = [{instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 10000},message:"must NOT have more than 10000 items"}];
return false;
}
else {
if(data.length < 1){
validate142.errors = [{instancePath,schemaPath:"#/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(!(validate143(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate143.errors : vErrors.concat(validate143.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
}
}
else {
validate142.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate142.errors = vErrors;
return errors === 0;
}
validate142.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

export const check7 = validate145;
const schema62 = {"type":"array","maxItems":100,"items":{"$ref":"contract#/components/schemas/EventSignatureInput"}};

function validate146(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate146.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern7.test(data)){
validate146.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{64}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{64}$"+"\""}];
return false;
}
}
else {
validate146.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate146.errors = vErrors;
return errors === 0;
}
validate146.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate145(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate145.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length > 100){
validate145.errors = [{instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(!(validate146(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate146.errors : vErrors.concat(validate146.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
}
else {
validate145.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate145.errors = vErrors;
return errors === 0;
}
validate145.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

export const check8 = validate148;
const schema64 = {"$ref":"contract#/components/schemas/IncludeInternalTxs"};

function validate149(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate149.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate149.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate149.errors = vErrors;
return errors === 0;
}
validate149.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate148(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate148.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate149(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate149.errors : vErrors.concat(validate149.errors);
errors = vErrors.length;
}
validate148.errors = vErrors;
return errors === 0;
}
validate148.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check9 = validate151;
const schema66 = {"$ref":"contract#/components/schemas/IncludeLogs"};

function validate152(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate152.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate152.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate152.errors = vErrors;
return errors === 0;
}
validate152.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate151(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate151.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate152(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate152.errors : vErrors.concat(validate152.errors);
errors = vErrors.length;
}
validate151.errors = vErrors;
return errors === 0;
}
validate151.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check10 = validate154;
const schema68 = {"$ref":"contract#/components/schemas/IncludeTransfers"};

function validate155(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate155.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate155.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate155.errors = vErrors;
return errors === 0;
}
validate155.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate154(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate154.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate155(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate155.errors : vErrors.concat(validate155.errors);
errors = vErrors.length;
}
validate154.errors = vErrors;
return errors === 0;
}
validate154.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check11 = validate157;
const schema70 = {"type":"array","minItems":1,"maxItems":100,"items":{"$ref":"contract#/components/schemas/AbiEventInput"}};

function validate158(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate158.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.type === undefined) && (missing0 = "type")) || ((data.name === undefined) && (missing0 = "name"))) || ((data.inputs === undefined) && (missing0 = "inputs"))){
validate158.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "type") || (key0 === "name")) || (key0 === "inputs")) || (key0 === "anonymous"))){
validate158.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.type !== undefined){
let data0 = data.type;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate158.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(data0 === "event")){
validate158.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/enum",keyword:"enum",params:{allowedValues: schema32.properties.type.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(func1(data1) > 200){
validate158.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern8.test(data1)){
validate158.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/pattern",keyword:"pattern",params:{pattern: "^[a-zA-Z_$][a-zA-Z0-9_$]*$"},message:"must match pattern \""+"^[a-zA-Z_$][a-zA-Z0-9_$]*$"+"\""}];
return false;
}
}
}
else {
validate158.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.inputs !== undefined){
let data2 = data.inputs;
const _errs6 = errors;
if(errors === _errs6){
if(Array.isArray(data2)){
if(data2.length > 20){
validate158.errors = [{instancePath:instancePath+"/inputs",schemaPath:"#/properties/inputs/maxItems",keyword:"maxItems",params:{limit: 20},message:"must NOT have more than 20 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
const _errs8 = errors;
if(!(validate74(data2[i0], {instancePath:instancePath+"/inputs/" + i0,parentData:data2,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate74.errors : vErrors.concat(validate74.errors);
errors = vErrors.length;
}
var valid1 = _errs8 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate158.errors = [{instancePath:instancePath+"/inputs",schemaPath:"#/properties/inputs/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.anonymous !== undefined){
const _errs9 = errors;
if(typeof data.anonymous !== "boolean"){
validate158.errors = [{instancePath:instancePath+"/anonymous",schemaPath:"#/properties/anonymous/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
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
validate158.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate158.errors = vErrors;
return errors === 0;
}
validate158.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate157(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate157.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length > 100){
validate157.errors = [{instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
if(data.length < 1){
validate157.errors = [{instancePath,schemaPath:"#/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(!(validate158(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate158.errors : vErrors.concat(validate158.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
}
}
else {
validate157.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate157.errors = vErrors;
return errors === 0;
}
validate157.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

export const check12 = validate161;
const schema72 = {"$ref":"contract#/components/schemas/ConditionInput"};

function validate162(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate162.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "all") || (key0 === "any")) || (key0 === "not")) || (key0 === "field")) || (key0 === "op")) || (key0 === "value"))){
validate162.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.all !== undefined){
let data0 = data.all;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 50){
validate162.errors = [{instancePath:instancePath+"/all",schemaPath:"#/properties/all/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"}];
return false;
}
else {
if(data0.length < 1){
validate162.errors = [{instancePath:instancePath+"/all",schemaPath:"#/properties/all/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate77(data0[i0], {instancePath:instancePath+"/all/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate162.errors = [{instancePath:instancePath+"/all",schemaPath:"#/properties/all/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.any !== undefined){
let data2 = data.any;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data2)){
if(data2.length > 50){
validate162.errors = [{instancePath:instancePath+"/any",schemaPath:"#/properties/any/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"}];
return false;
}
else {
if(data2.length < 1){
validate162.errors = [{instancePath:instancePath+"/any",schemaPath:"#/properties/any/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid2 = true;
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
const _errs7 = errors;
if(!(validate77(data2[i1], {instancePath:instancePath+"/any/" + i1,parentData:data2,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var valid2 = _errs7 === errors;
if(!valid2){
break;
}
}
}
}
}
else {
validate162.errors = [{instancePath:instancePath+"/any",schemaPath:"#/properties/any/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.not !== undefined){
const _errs8 = errors;
if(!(validate77(data.not, {instancePath:instancePath+"/not",parentData:data,parentDataProperty:"not",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.field !== undefined){
let data5 = data.field;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data5 === "string"){
if(func1(data5) > 250){
validate162.errors = [{instancePath:instancePath+"/field",schemaPath:"#/properties/field/maxLength",keyword:"maxLength",params:{limit: 250},message:"must NOT have more than 250 characters"}];
return false;
}
else {
if(!pattern12.test(data5)){
validate162.errors = [{instancePath:instancePath+"/field",schemaPath:"#/properties/field/pattern",keyword:"pattern",params:{pattern: "^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$"},message:"must match pattern \""+"^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$"+"\""}];
return false;
}
}
}
else {
validate162.errors = [{instancePath:instancePath+"/field",schemaPath:"#/properties/field/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.op !== undefined){
let data6 = data.op;
const _errs11 = errors;
if(typeof data6 !== "string"){
validate162.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((((((data6 === "eq") || (data6 === "ne")) || (data6 === "gt")) || (data6 === "gte")) || (data6 === "lt")) || (data6 === "lte")) || (data6 === "in"))){
validate162.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/enum",keyword:"enum",params:{allowedValues: schema34.properties.op.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.value !== undefined){
let data7 = data.value;
const _errs13 = errors;
if((typeof data7 !== "string") && (!(Array.isArray(data7)))){
validate162.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/type",keyword:"type",params:{type: schema34.properties.value.type},message:"must be string,array"}];
return false;
}
if(errors === _errs13){
if(typeof data7 === "string"){
if(func1(data7) > 200){
validate162.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern11.test(data7)){
validate162.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
if(errors === _errs13){
if(Array.isArray(data7)){
if(data7.length > 100){
validate162.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
if(data7.length < 1){
validate162.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid3 = true;
const len2 = data7.length;
for(let i2=0; i2<len2; i2++){
let data8 = data7[i2];
const _errs15 = errors;
if(errors === _errs15){
if(typeof data8 === "string"){
if(func1(data8) > 200){
validate162.errors = [{instancePath:instancePath+"/value/" + i2,schemaPath:"#/properties/value/items/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern11.test(data8)){
validate162.errors = [{instancePath:instancePath+"/value/" + i2,schemaPath:"#/properties/value/items/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
else {
validate162.errors = [{instancePath:instancePath+"/value/" + i2,schemaPath:"#/properties/value/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs15 === errors;
if(!valid3){
break;
}
}
}
}
}
}
}
var valid0 = _errs13 === errors;
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
validate162.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate162.errors = vErrors;
return errors === 0;
}
validate162.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate161(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate161.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate162(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate162.errors : vErrors.concat(validate162.errors);
errors = vErrors.length;
}
validate161.errors = vErrors;
return errors === 0;
}
validate161.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check13 = validate167;
const schema74 = {"type":"array","minItems":1,"maxItems":50,"items":{"$ref":"contract#/components/schemas/ConditionInput"}};

function validate168(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate168.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "all") || (key0 === "any")) || (key0 === "not")) || (key0 === "field")) || (key0 === "op")) || (key0 === "value"))){
validate168.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.all !== undefined){
let data0 = data.all;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 50){
validate168.errors = [{instancePath:instancePath+"/all",schemaPath:"#/properties/all/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"}];
return false;
}
else {
if(data0.length < 1){
validate168.errors = [{instancePath:instancePath+"/all",schemaPath:"#/properties/all/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate77(data0[i0], {instancePath:instancePath+"/all/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate168.errors = [{instancePath:instancePath+"/all",schemaPath:"#/properties/all/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.any !== undefined){
let data2 = data.any;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data2)){
if(data2.length > 50){
validate168.errors = [{instancePath:instancePath+"/any",schemaPath:"#/properties/any/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"}];
return false;
}
else {
if(data2.length < 1){
validate168.errors = [{instancePath:instancePath+"/any",schemaPath:"#/properties/any/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid2 = true;
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
const _errs7 = errors;
if(!(validate77(data2[i1], {instancePath:instancePath+"/any/" + i1,parentData:data2,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var valid2 = _errs7 === errors;
if(!valid2){
break;
}
}
}
}
}
else {
validate168.errors = [{instancePath:instancePath+"/any",schemaPath:"#/properties/any/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.not !== undefined){
const _errs8 = errors;
if(!(validate77(data.not, {instancePath:instancePath+"/not",parentData:data,parentDataProperty:"not",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.field !== undefined){
let data5 = data.field;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data5 === "string"){
if(func1(data5) > 250){
validate168.errors = [{instancePath:instancePath+"/field",schemaPath:"#/properties/field/maxLength",keyword:"maxLength",params:{limit: 250},message:"must NOT have more than 250 characters"}];
return false;
}
else {
if(!pattern12.test(data5)){
validate168.errors = [{instancePath:instancePath+"/field",schemaPath:"#/properties/field/pattern",keyword:"pattern",params:{pattern: "^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$"},message:"must match pattern \""+"^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$"+"\""}];
return false;
}
}
}
else {
validate168.errors = [{instancePath:instancePath+"/field",schemaPath:"#/properties/field/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.op !== undefined){
let data6 = data.op;
const _errs11 = errors;
if(typeof data6 !== "string"){
validate168.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((((((data6 === "eq") || (data6 === "ne")) || (data6 === "gt")) || (data6 === "gte")) || (data6 === "lt")) || (data6 === "lte")) || (data6 === "in"))){
validate168.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/enum",keyword:"enum",params:{allowedValues: schema34.properties.op.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.value !== undefined){
let data7 = data.value;
const _errs13 = errors;
if((typeof data7 !== "string") && (!(Array.isArray(data7)))){
validate168.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/type",keyword:"type",params:{type: schema34.properties.value.type},message:"must be string,array"}];
return false;
}
if(errors === _errs13){
if(typeof data7 === "string"){
if(func1(data7) > 200){
validate168.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern11.test(data7)){
validate168.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
if(errors === _errs13){
if(Array.isArray(data7)){
if(data7.length > 100){
validate168.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
if(data7.length < 1){
validate168.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid3 = true;
const len2 = data7.length;
for(let i2=0; i2<len2; i2++){
let data8 = data7[i2];
const _errs15 = errors;
if(errors === _errs15){
if(typeof data8 === "string"){
if(func1(data8) > 200){
validate168.errors = [{instancePath:instancePath+"/value/" + i2,schemaPath:"#/properties/value/items/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern11.test(data8)){
validate168.errors = [{instancePath:instancePath+"/value/" + i2,schemaPath:"#/properties/value/items/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
else {
validate168.errors = [{instancePath:instancePath+"/value/" + i2,schemaPath:"#/properties/value/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs15 === errors;
if(!valid3){
break;
}
}
}
}
}
}
}
var valid0 = _errs13 === errors;
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
validate168.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate168.errors = vErrors;
return errors === 0;
}
validate168.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate167(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate167.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length > 50){
validate167.errors = [{instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"}];
return false;
}
else {
if(data.length < 1){
validate167.errors = [{instancePath,schemaPath:"#/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(!(validate168(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate168.errors : vErrors.concat(validate168.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
}
}
else {
validate167.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate167.errors = vErrors;
return errors === 0;
}
validate167.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

export const check14 = validate173;
const schema76 = {"type":"array","minItems":1,"maxItems":50,"items":{"$ref":"contract#/components/schemas/ConditionInput"}};

function validate174(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate174.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "all") || (key0 === "any")) || (key0 === "not")) || (key0 === "field")) || (key0 === "op")) || (key0 === "value"))){
validate174.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.all !== undefined){
let data0 = data.all;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 50){
validate174.errors = [{instancePath:instancePath+"/all",schemaPath:"#/properties/all/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"}];
return false;
}
else {
if(data0.length < 1){
validate174.errors = [{instancePath:instancePath+"/all",schemaPath:"#/properties/all/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate77(data0[i0], {instancePath:instancePath+"/all/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate174.errors = [{instancePath:instancePath+"/all",schemaPath:"#/properties/all/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.any !== undefined){
let data2 = data.any;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data2)){
if(data2.length > 50){
validate174.errors = [{instancePath:instancePath+"/any",schemaPath:"#/properties/any/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"}];
return false;
}
else {
if(data2.length < 1){
validate174.errors = [{instancePath:instancePath+"/any",schemaPath:"#/properties/any/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid2 = true;
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
const _errs7 = errors;
if(!(validate77(data2[i1], {instancePath:instancePath+"/any/" + i1,parentData:data2,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var valid2 = _errs7 === errors;
if(!valid2){
break;
}
}
}
}
}
else {
validate174.errors = [{instancePath:instancePath+"/any",schemaPath:"#/properties/any/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.not !== undefined){
const _errs8 = errors;
if(!(validate77(data.not, {instancePath:instancePath+"/not",parentData:data,parentDataProperty:"not",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.field !== undefined){
let data5 = data.field;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data5 === "string"){
if(func1(data5) > 250){
validate174.errors = [{instancePath:instancePath+"/field",schemaPath:"#/properties/field/maxLength",keyword:"maxLength",params:{limit: 250},message:"must NOT have more than 250 characters"}];
return false;
}
else {
if(!pattern12.test(data5)){
validate174.errors = [{instancePath:instancePath+"/field",schemaPath:"#/properties/field/pattern",keyword:"pattern",params:{pattern: "^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$"},message:"must match pattern \""+"^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$"+"\""}];
return false;
}
}
}
else {
validate174.errors = [{instancePath:instancePath+"/field",schemaPath:"#/properties/field/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.op !== undefined){
let data6 = data.op;
const _errs11 = errors;
if(typeof data6 !== "string"){
validate174.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((((((data6 === "eq") || (data6 === "ne")) || (data6 === "gt")) || (data6 === "gte")) || (data6 === "lt")) || (data6 === "lte")) || (data6 === "in"))){
validate174.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/enum",keyword:"enum",params:{allowedValues: schema34.properties.op.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.value !== undefined){
let data7 = data.value;
const _errs13 = errors;
if((typeof data7 !== "string") && (!(Array.isArray(data7)))){
validate174.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/type",keyword:"type",params:{type: schema34.properties.value.type},message:"must be string,array"}];
return false;
}
if(errors === _errs13){
if(typeof data7 === "string"){
if(func1(data7) > 200){
validate174.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern11.test(data7)){
validate174.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
if(errors === _errs13){
if(Array.isArray(data7)){
if(data7.length > 100){
validate174.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
if(data7.length < 1){
validate174.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid3 = true;
const len2 = data7.length;
for(let i2=0; i2<len2; i2++){
let data8 = data7[i2];
const _errs15 = errors;
if(errors === _errs15){
if(typeof data8 === "string"){
if(func1(data8) > 200){
validate174.errors = [{instancePath:instancePath+"/value/" + i2,schemaPath:"#/properties/value/items/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern11.test(data8)){
validate174.errors = [{instancePath:instancePath+"/value/" + i2,schemaPath:"#/properties/value/items/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
else {
validate174.errors = [{instancePath:instancePath+"/value/" + i2,schemaPath:"#/properties/value/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs15 === errors;
if(!valid3){
break;
}
}
}
}
}
}
}
var valid0 = _errs13 === errors;
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
validate174.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate174.errors = vErrors;
return errors === 0;
}
validate174.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate173(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate173.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length > 50){
validate173.errors = [{instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"}];
return false;
}
else {
if(data.length < 1){
validate173.errors = [{instancePath,schemaPath:"#/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(!(validate174(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate174.errors : vErrors.concat(validate174.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
}
}
else {
validate173.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate173.errors = vErrors;
return errors === 0;
}
validate173.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

export const check15 = validate179;
const schema78 = {"$ref":"contract#/components/schemas/ConditionInput"};

function validate180(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate180.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "all") || (key0 === "any")) || (key0 === "not")) || (key0 === "field")) || (key0 === "op")) || (key0 === "value"))){
validate180.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.all !== undefined){
let data0 = data.all;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 50){
validate180.errors = [{instancePath:instancePath+"/all",schemaPath:"#/properties/all/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"}];
return false;
}
else {
if(data0.length < 1){
validate180.errors = [{instancePath:instancePath+"/all",schemaPath:"#/properties/all/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate77(data0[i0], {instancePath:instancePath+"/all/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate180.errors = [{instancePath:instancePath+"/all",schemaPath:"#/properties/all/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.any !== undefined){
let data2 = data.any;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data2)){
if(data2.length > 50){
validate180.errors = [{instancePath:instancePath+"/any",schemaPath:"#/properties/any/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"}];
return false;
}
else {
if(data2.length < 1){
validate180.errors = [{instancePath:instancePath+"/any",schemaPath:"#/properties/any/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid2 = true;
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
const _errs7 = errors;
if(!(validate77(data2[i1], {instancePath:instancePath+"/any/" + i1,parentData:data2,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var valid2 = _errs7 === errors;
if(!valid2){
break;
}
}
}
}
}
else {
validate180.errors = [{instancePath:instancePath+"/any",schemaPath:"#/properties/any/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.not !== undefined){
const _errs8 = errors;
if(!(validate77(data.not, {instancePath:instancePath+"/not",parentData:data,parentDataProperty:"not",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.field !== undefined){
let data5 = data.field;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data5 === "string"){
if(func1(data5) > 250){
validate180.errors = [{instancePath:instancePath+"/field",schemaPath:"#/properties/field/maxLength",keyword:"maxLength",params:{limit: 250},message:"must NOT have more than 250 characters"}];
return false;
}
else {
if(!pattern12.test(data5)){
validate180.errors = [{instancePath:instancePath+"/field",schemaPath:"#/properties/field/pattern",keyword:"pattern",params:{pattern: "^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$"},message:"must match pattern \""+"^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$"+"\""}];
return false;
}
}
}
else {
validate180.errors = [{instancePath:instancePath+"/field",schemaPath:"#/properties/field/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.op !== undefined){
let data6 = data.op;
const _errs11 = errors;
if(typeof data6 !== "string"){
validate180.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((((((data6 === "eq") || (data6 === "ne")) || (data6 === "gt")) || (data6 === "gte")) || (data6 === "lt")) || (data6 === "lte")) || (data6 === "in"))){
validate180.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/enum",keyword:"enum",params:{allowedValues: schema34.properties.op.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.value !== undefined){
let data7 = data.value;
const _errs13 = errors;
if((typeof data7 !== "string") && (!(Array.isArray(data7)))){
validate180.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/type",keyword:"type",params:{type: schema34.properties.value.type},message:"must be string,array"}];
return false;
}
if(errors === _errs13){
if(typeof data7 === "string"){
if(func1(data7) > 200){
validate180.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern11.test(data7)){
validate180.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
if(errors === _errs13){
if(Array.isArray(data7)){
if(data7.length > 100){
validate180.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
if(data7.length < 1){
validate180.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid3 = true;
const len2 = data7.length;
for(let i2=0; i2<len2; i2++){
let data8 = data7[i2];
const _errs15 = errors;
if(errors === _errs15){
if(typeof data8 === "string"){
if(func1(data8) > 200){
validate180.errors = [{instancePath:instancePath+"/value/" + i2,schemaPath:"#/properties/value/items/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern11.test(data8)){
validate180.errors = [{instancePath:instancePath+"/value/" + i2,schemaPath:"#/properties/value/items/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
else {
validate180.errors = [{instancePath:instancePath+"/value/" + i2,schemaPath:"#/properties/value/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs15 === errors;
if(!valid3){
break;
}
}
}
}
}
}
}
var valid0 = _errs13 === errors;
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
validate180.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate180.errors = vErrors;
return errors === 0;
}
validate180.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate179(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate179.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate180(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate180.errors : vErrors.concat(validate180.errors);
errors = vErrors.length;
}
validate179.errors = vErrors;
return errors === 0;
}
validate179.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check16 = validate185;
const schema80 = {"type":"string","maxLength":250,"pattern":"^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$","example":"transfer.value"};

function validate185(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate185.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 250){
validate185.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 250},message:"must NOT have more than 250 characters"}];
return false;
}
else {
if(!pattern12.test(data)){
validate185.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$"},message:"must match pattern \""+"^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$"+"\""}];
return false;
}
}
}
else {
validate185.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate185.errors = vErrors;
return errors === 0;
}
validate185.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check17 = validate186;
const schema81 = {"type":"string","enum":["eq","ne","gt","gte","lt","lte","in"],"example":"gte"};

function validate186(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate186.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate186.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((((((data === "eq") || (data === "ne")) || (data === "gt")) || (data === "gte")) || (data === "lt")) || (data === "lte")) || (data === "in"))){
validate186.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema81.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate186.errors = vErrors;
return errors === 0;
}
validate186.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check18 = validate187;
const schema82 = {"description":"What it is compared with; a list with `in`. Numbers in decimal digits or as 0x and hex digits, compared as integers of 256 bits;\naddresses and bytes as 0x and hex digits in any case; `true` or `false`. An indexed text, array or tuple is compared by its hash.\n","type":["string","array"],"maxLength":200,"pattern":"^[^\\u0000]*$","minItems":1,"maxItems":100,"items":{"type":"string","maxLength":200,"pattern":"^[^\\u0000]*$"},"example":"1000000"};

function validate187(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate187.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((typeof data !== "string") && (!(Array.isArray(data)))){
validate187.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema82.type},message:"must be string,array"}];
return false;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 200){
validate187.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern11.test(data)){
validate187.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length > 100){
validate187.errors = [{instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
if(data.length < 1){
validate187.errors = [{instancePath,schemaPath:"#/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
let data0 = data[i0];
const _errs1 = errors;
if(errors === _errs1){
if(typeof data0 === "string"){
if(func1(data0) > 200){
validate187.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern11.test(data0)){
validate187.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
else {
validate187.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
}
}
}
}
validate187.errors = vErrors;
return errors === 0;
}
validate187.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

export const check19 = validate188;
const schema83 = {"$ref":"contract#/components/schemas/AnyAddress"};

function validate189(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate189.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate189.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate189.errors = vErrors;
return errors === 0;
}
validate189.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate188(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate188.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate189(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate189.errors : vErrors.concat(validate189.errors);
errors = vErrors.length;
}
validate188.errors = vErrors;
return errors === 0;
}
validate188.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check20 = validate191;
const schema85 = {"$ref":"contract#/components/schemas/CreatedByInput"};

function validate192(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate192.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.address === undefined) && (missing0 = "address")) || ((data.eventSignature === undefined) && (missing0 = "eventSignature"))) || ((data.argument === undefined) && (missing0 = "argument"))){
validate192.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "address") || (key0 === "eventSignature")) || (key0 === "argument"))){
validate192.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.address !== undefined){
const _errs2 = errors;
if(!(validate63(data.address, {instancePath:instancePath+"/address",parentData:data,parentDataProperty:"address",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.eventSignature !== undefined){
const _errs3 = errors;
if(!(validate65(data.eventSignature, {instancePath:instancePath+"/eventSignature",parentData:data,parentDataProperty:"eventSignature",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.argument !== undefined){
const _errs4 = errors;
if(!(validate84(data.argument, {instancePath:instancePath+"/argument",parentData:data,parentDataProperty:"argument",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
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
validate192.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate192.errors = vErrors;
return errors === 0;
}
validate192.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate191(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate191.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate192(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate192.errors : vErrors.concat(validate192.errors);
errors = vErrors.length;
}
validate191.errors = vErrors;
return errors === 0;
}
validate191.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check21 = validate197;
const schema87 = {"$ref":"contract#/components/schemas/AddressInput"};

function validate198(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate198.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern6.test(data)){
validate198.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{40}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{40}$"+"\""}];
return false;
}
}
else {
validate198.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate198.errors = vErrors;
return errors === 0;
}
validate198.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate197(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate197.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate198(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate198.errors : vErrors.concat(validate198.errors);
errors = vErrors.length;
}
validate197.errors = vErrors;
return errors === 0;
}
validate197.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check22 = validate200;
const schema89 = {"$ref":"contract#/components/schemas/EventSignatureInput"};

function validate201(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate201.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern7.test(data)){
validate201.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{64}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{64}$"+"\""}];
return false;
}
}
else {
validate201.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate201.errors = vErrors;
return errors === 0;
}
validate201.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate200(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate200.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate201(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate201.errors : vErrors.concat(validate201.errors);
errors = vErrors.length;
}
validate200.errors = vErrors;
return errors === 0;
}
validate200.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check23 = validate203;
const schema91 = {"$ref":"contract#/components/schemas/CreatedByArgument"};

function validate204(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate204.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern15.test(data)){
validate204.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(topic[1-3]|data([0-9]|[1-9][0-9]))$"},message:"must match pattern \""+"^(topic[1-3]|data([0-9]|[1-9][0-9]))$"+"\""}];
return false;
}
}
else {
validate204.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate204.errors = vErrors;
return errors === 0;
}
validate204.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate203(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate203.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate204(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate204.errors : vErrors.concat(validate204.errors);
errors = vErrors.length;
}
validate203.errors = vErrors;
return errors === 0;
}
validate203.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check24 = validate206;
const schema93 = {"$ref":"contract#/components/schemas/BatchInput"};

function validate207(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate207.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.maxItems === undefined) && (missing0 = "maxItems")){
validate207.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "maxItems") || (key0 === "maxWaitMs"))){
validate207.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.maxItems !== undefined){
const _errs2 = errors;
if(!(validate88(data.maxItems, {instancePath:instancePath+"/maxItems",parentData:data,parentDataProperty:"maxItems",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate88.errors : vErrors.concat(validate88.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.maxWaitMs !== undefined){
const _errs3 = errors;
if(!(validate90(data.maxWaitMs, {instancePath:instancePath+"/maxWaitMs",parentData:data,parentDataProperty:"maxWaitMs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate90.errors : vErrors.concat(validate90.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate207.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate207.errors = vErrors;
return errors === 0;
}
validate207.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate206(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate206.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate207(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate207.errors : vErrors.concat(validate207.errors);
errors = vErrors.length;
}
validate206.errors = vErrors;
return errors === 0;
}
validate206.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check25 = validate211;
const schema95 = {"$ref":"contract#/components/schemas/BatchMaxItems"};

function validate212(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate212.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate212.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 100 || isNaN(data)){
validate212.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100},message:"must be <= 100"}];
return false;
}
else {
if(data < 1 || isNaN(data)){
validate212.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
validate212.errors = vErrors;
return errors === 0;
}
validate212.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate211(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate211.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate212(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate212.errors : vErrors.concat(validate212.errors);
errors = vErrors.length;
}
validate211.errors = vErrors;
return errors === 0;
}
validate211.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check26 = validate214;
const schema97 = {"$ref":"contract#/components/schemas/BatchMaxWaitMs"};

function validate215(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate215.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate215.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 60000 || isNaN(data)){
validate215.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60000},message:"must be <= 60000"}];
return false;
}
else {
if(data < 0 || isNaN(data)){
validate215.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
validate215.errors = vErrors;
return errors === 0;
}
validate215.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate214(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate214.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate215(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate215.errors : vErrors.concat(validate215.errors);
errors = vErrors.length;
}
validate214.errors = vErrors;
return errors === 0;
}
validate214.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check27 = validate217;
const schema99 = {"$ref":"contract#/components/schemas/Ordered"};

function validate218(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate218.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate218.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate218.errors = vErrors;
return errors === 0;
}
validate218.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate217(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate217.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate218(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate218.errors : vErrors.concat(validate218.errors);
errors = vErrors.length;
}
validate217.errors = vErrors;
return errors === 0;
}
validate217.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check28 = validate220;
const schema101 = {"$ref":"contract#/components/schemas/WebhookName"};

function validate221(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate221.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 200){
validate221.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern11.test(data)){
validate221.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
else {
validate221.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate221.errors = vErrors;
return errors === 0;
}
validate221.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate220(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate220.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate221(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate221.errors : vErrors.concat(validate221.errors);
errors = vErrors.length;
}
validate220.errors = vErrors;
return errors === 0;
}
validate220.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check29 = validate223;
const schema103 = {"$ref":"contract#/components/schemas/WebhookDescription"};

function validate224(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate224.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 2000){
validate224.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters"}];
return false;
}
else {
if(!pattern11.test(data)){
validate224.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
else {
validate224.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate224.errors = vErrors;
return errors === 0;
}
validate224.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate223(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate223.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate224(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate224.errors : vErrors.concat(validate224.errors);
errors = vErrors.length;
}
validate223.errors = vErrors;
return errors === 0;
}
validate223.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check30 = validate226;
const schema105 = {"$ref":"contract#/components/schemas/IncludeInternalTxs"};

function validate227(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate227.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate227.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate227.errors = vErrors;
return errors === 0;
}
validate227.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate226(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate226.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate227(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate227.errors : vErrors.concat(validate227.errors);
errors = vErrors.length;
}
validate226.errors = vErrors;
return errors === 0;
}
validate226.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check31 = validate229;
const schema107 = {"$ref":"contract#/components/schemas/IncludeLogs"};

function validate230(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate230.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate230.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate230.errors = vErrors;
return errors === 0;
}
validate230.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate229(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate229.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate230(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate230.errors : vErrors.concat(validate230.errors);
errors = vErrors.length;
}
validate229.errors = vErrors;
return errors === 0;
}
validate229.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check32 = validate232;
const schema109 = {"$ref":"contract#/components/schemas/FinalityInput"};

function validate233(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate233.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((typeof data !== "string") && (!(data && typeof data == "object" && !Array.isArray(data)))){
validate233.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema44.type},message:"must be string,object"}];
return false;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern18.test(data)){
validate233.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(instant|finalized|both)$"},message:"must match pattern \""+"^(instant|finalized|both)$"+"\""}];
return false;
}
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.confirmations === undefined) && (missing0 = "confirmations")){
validate233.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "confirmations")){
validate233.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.confirmations !== undefined){
if(!(validate103(data.confirmations, {instancePath:instancePath+"/confirmations",parentData:data,parentDataProperty:"confirmations",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate103.errors : vErrors.concat(validate103.errors);
errors = vErrors.length;
}
}
}
}
}
}
}
validate233.errors = vErrors;
return errors === 0;
}
validate233.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate232(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate232.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate233(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate233.errors : vErrors.concat(validate233.errors);
errors = vErrors.length;
}
validate232.errors = vErrors;
return errors === 0;
}
validate232.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check33 = validate236;
const schema111 = {"$ref":"contract#/components/schemas/Confirmations"};

function validate237(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate237.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate237.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 10000 || isNaN(data)){
validate237.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000},message:"must be <= 10000"}];
return false;
}
else {
if(data < 1 || isNaN(data)){
validate237.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
validate237.errors = vErrors;
return errors === 0;
}
validate237.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate236(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate236.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate237(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate237.errors : vErrors.concat(validate237.errors);
errors = vErrors.length;
}
validate236.errors = vErrors;
return errors === 0;
}
validate236.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check34 = validate239;
const schema113 = {"$ref":"contract#/components/schemas/CompatibilityInput"};

function validate240(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate240.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern19.test(data)){
validate240.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^glacier$"},message:"must match pattern \""+"^glacier$"+"\""}];
return false;
}
}
else {
validate240.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate240.errors = vErrors;
return errors === 0;
}
validate240.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate239(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate239.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate240(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate240.errors : vErrors.concat(validate240.errors);
errors = vErrors.length;
}
validate239.errors = vErrors;
return errors === 0;
}
validate239.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check35 = validate242;
const schema115 = {"$ref":"contract#/components/schemas/FromBlock"};

function validate243(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate243.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern20.test(data)){
validate243.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]{0,18})$"},message:"must match pattern \""+"^(0|[1-9][0-9]{0,18})$"+"\""}];
return false;
}
}
else {
validate243.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate243.errors = vErrors;
return errors === 0;
}
validate243.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate242(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate242.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate243(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate243.errors : vErrors.concat(validate243.errors);
errors = vErrors.length;
}
validate242.errors = vErrors;
return errors === 0;
}
validate242.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check36 = validate245;
const schema117 = {"$ref":"contract#/components/schemas/HistoryModeInput"};

function validate246(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate246.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern21.test(data)){
validate246.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(complete|headers|logs)$"},message:"must match pattern \""+"^(complete|headers|logs)$"+"\""}];
return false;
}
}
else {
validate246.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate246.errors = vErrors;
return errors === 0;
}
validate246.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate245(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate245.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate246(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate246.errors : vErrors.concat(validate246.errors);
errors = vErrors.length;
}
validate245.errors = vErrors;
return errors === 0;
}
validate245.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check37 = validate248;
const schema119 = {"$ref":"contract#/components/schemas/DeliveryInput"};

function validate249(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate249.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern22.test(data)){
validate249.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(url|feed)$"},message:"must match pattern \""+"^(url|feed)$"+"\""}];
return false;
}
}
else {
validate249.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate249.errors = vErrors;
return errors === 0;
}
validate249.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate248(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate248.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate249(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate249.errors : vErrors.concat(validate249.errors);
errors = vErrors.length;
}
validate248.errors = vErrors;
return errors === 0;
}
validate248.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check38 = validate251;
const schema121 = {"$ref":"contract#/components/schemas/MaxPerSecondInput"};

function validate252(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate252.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate252.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 1000 || isNaN(data)){
validate252.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000"}];
return false;
}
else {
if(data < 0 || isNaN(data)){
validate252.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
validate252.errors = vErrors;
return errors === 0;
}
validate252.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate251(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate251.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate252(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate252.errors : vErrors.concat(validate252.errors);
errors = vErrors.length;
}
validate251.errors = vErrors;
return errors === 0;
}
validate251.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check39 = validate254;
const schema123 = {"$ref":"contract#/components/schemas/HeadersInput"};

function validate255(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate255.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((!(data && typeof data == "object" && !Array.isArray(data))) && (data !== null)){
validate255.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema51.type},message:"must be object,null"}];
return false;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(Object.keys(data).length > 10){
validate255.errors = [{instancePath,schemaPath:"#/maxProperties",keyword:"maxProperties",params:{limit: 10},message:"must NOT have more than 10 properties"}];
return false;
}
else {
for(const key0 in data){
const _errs1 = errors;
if(typeof key0 === "string"){
if(!pattern23.test(key0)){
const err0 = {instancePath,schemaPath:"#/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[!#-'*+.0-9A-Z^-z|~-]{1,64}$"},message:"must match pattern \""+"^[!#-'*+.0-9A-Z^-z|~-]{1,64}$"+"\"",propertyName:key0};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var valid0 = _errs1 === errors;
if(!valid0){
const err1 = {instancePath,schemaPath:"#/propertyNames",keyword:"propertyNames",params:{propertyName: key0},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate255.errors = vErrors;
return false;
break;
}
}
if(valid0){
for(const key1 in data){
let data0 = data[key1];
const _errs3 = errors;
if(errors === _errs3){
if(typeof data0 === "string"){
if(func1(data0) > 1024){
validate255.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/additionalProperties/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"}];
return false;
}
else {
if(!pattern24.test(data0)){
validate255.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/additionalProperties/pattern",keyword:"pattern",params:{pattern: "^[!-~]([ -~]*[!-~])?$"},message:"must match pattern \""+"^[!-~]([ -~]*[!-~])?$"+"\""}];
return false;
}
}
}
else {
validate255.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
}
}
}
validate255.errors = vErrors;
return errors === 0;
}
validate255.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate254(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate254.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate255(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate255.errors : vErrors.concat(validate255.errors);
errors = vErrors.length;
}
validate254.errors = vErrors;
return errors === 0;
}
validate254.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check40 = validate257;
const schema125 = {"$ref":"contract#/components/schemas/WebhookStatus"};
const schema126 = {"type":"string","enum":["active","inactive"],"example":"active"};

function validate258(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate258.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate258.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data === "active") || (data === "inactive"))){
validate258.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema126.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate258.errors = vErrors;
return errors === 0;
}
validate258.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate257(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate257.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate258(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate258.errors : vErrors.concat(validate258.errors);
errors = vErrors.length;
}
validate257.errors = vErrors;
return errors === 0;
}
validate257.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check41 = validate260;
const schema127 = {"type":"string","maxLength":512};

function validate260(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate260.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 512){
validate260.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 512},message:"must NOT have more than 512 characters"}];
return false;
}
}
else {
validate260.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate260.errors = vErrors;
return errors === 0;
}
validate260.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check42 = validate261;
const schema128 = {"type":"integer","minimum":1,"maximum":100,"default":10};

function validate261(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate261.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate261.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 100 || isNaN(data)){
validate261.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100},message:"must be <= 100"}];
return false;
}
else {
if(data < 1 || isNaN(data)){
validate261.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
validate261.errors = vErrors;
return errors === 0;
}
validate261.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check43 = validate262;
const schema129 = {"$ref":"contract#/components/schemas/PreviewInput"};
const schema130 = {"type":"object","required":["chainId","metadata"],"additionalProperties":false,"properties":{"url":{"$ref":"#/components/schemas/WebhookUrl","x-check":44},"chainId":{"$ref":"#/components/schemas/ChainId","x-check":45},"eventType":{"$ref":"#/components/schemas/EventType","x-check":46},"metadata":{"$ref":"#/components/schemas/WebhookMetadataInput","x-check":47},"name":{"$ref":"#/components/schemas/WebhookName","x-check":48},"description":{"$ref":"#/components/schemas/WebhookDescription","x-check":49},"includeInternalTxs":{"$ref":"#/components/schemas/IncludeInternalTxs","x-check":50},"includeLogs":{"$ref":"#/components/schemas/IncludeLogs","x-check":51},"finality":{"$ref":"#/components/schemas/FinalityInput","x-check":52},"compatibility":{"$ref":"#/components/schemas/CompatibilityInput","x-check":53},"fromBlock":{"$ref":"#/components/schemas/FromBlock","x-check":54},"historyMode":{"$ref":"#/components/schemas/HistoryModeInput","x-check":55},"delivery":{"$ref":"#/components/schemas/DeliveryInput","x-check":56},"maxPerSecond":{"$ref":"#/components/schemas/MaxPerSecondInput","x-check":57},"headers":{"$ref":"#/components/schemas/HeadersInput","x-check":58},"txHash":{"$ref":"#/components/schemas/TxHashInput","x-check":59},"blockNumber":{"$ref":"#/components/schemas/BlockNumberInput","x-check":60}}};
const schema131 = {"type":"string","pattern":"^0x[0-9a-fA-F]{64}$","example":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0"};

function validate279(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate279.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern7.test(data)){
validate279.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{64}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{64}$"+"\""}];
return false;
}
}
else {
validate279.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate279.errors = vErrors;
return errors === 0;
}
validate279.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema132 = {"type":"string","pattern":"^(0|[1-9][0-9]{0,18})$","example":"62318001"};

function validate281(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate281.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern20.test(data)){
validate281.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]{0,18})$"},message:"must match pattern \""+"^(0|[1-9][0-9]{0,18})$"+"\""}];
return false;
}
}
else {
validate281.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate281.errors = vErrors;
return errors === 0;
}
validate281.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate263(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate263.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.chainId === undefined) && (missing0 = "chainId")) || ((data.metadata === undefined) && (missing0 = "metadata"))){
validate263.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func3.call(schema130.properties, key0))){
validate263.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.url !== undefined){
const _errs2 = errors;
if(!(validate56(data.url, {instancePath:instancePath+"/url",parentData:data,parentDataProperty:"url",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.chainId !== undefined){
const _errs3 = errors;
if(!(validate58(data.chainId, {instancePath:instancePath+"/chainId",parentData:data,parentDataProperty:"chainId",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate58.errors : vErrors.concat(validate58.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.eventType !== undefined){
const _errs4 = errors;
if(!(validate60(data.eventType, {instancePath:instancePath+"/eventType",parentData:data,parentDataProperty:"eventType",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
const _errs5 = errors;
if(!(validate62(data.metadata, {instancePath:instancePath+"/metadata",parentData:data,parentDataProperty:"metadata",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
const _errs6 = errors;
if(!(validate96(data.name, {instancePath:instancePath+"/name",parentData:data,parentDataProperty:"name",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate96.errors : vErrors.concat(validate96.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.description !== undefined){
const _errs7 = errors;
if(!(validate98(data.description, {instancePath:instancePath+"/description",parentData:data,parentDataProperty:"description",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate98.errors : vErrors.concat(validate98.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.includeInternalTxs !== undefined){
const _errs8 = errors;
if(!(validate67(data.includeInternalTxs, {instancePath:instancePath+"/includeInternalTxs",parentData:data,parentDataProperty:"includeInternalTxs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate67.errors : vErrors.concat(validate67.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.includeLogs !== undefined){
const _errs9 = errors;
if(!(validate69(data.includeLogs, {instancePath:instancePath+"/includeLogs",parentData:data,parentDataProperty:"includeLogs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate69.errors : vErrors.concat(validate69.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.finality !== undefined){
const _errs10 = errors;
if(!(validate102(data.finality, {instancePath:instancePath+"/finality",parentData:data,parentDataProperty:"finality",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate102.errors : vErrors.concat(validate102.errors);
errors = vErrors.length;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.compatibility !== undefined){
const _errs11 = errors;
if(!(validate106(data.compatibility, {instancePath:instancePath+"/compatibility",parentData:data,parentDataProperty:"compatibility",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate106.errors : vErrors.concat(validate106.errors);
errors = vErrors.length;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.fromBlock !== undefined){
const _errs12 = errors;
if(!(validate108(data.fromBlock, {instancePath:instancePath+"/fromBlock",parentData:data,parentDataProperty:"fromBlock",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate108.errors : vErrors.concat(validate108.errors);
errors = vErrors.length;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.historyMode !== undefined){
const _errs13 = errors;
if(!(validate110(data.historyMode, {instancePath:instancePath+"/historyMode",parentData:data,parentDataProperty:"historyMode",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate110.errors : vErrors.concat(validate110.errors);
errors = vErrors.length;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.delivery !== undefined){
const _errs14 = errors;
if(!(validate112(data.delivery, {instancePath:instancePath+"/delivery",parentData:data,parentDataProperty:"delivery",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate112.errors : vErrors.concat(validate112.errors);
errors = vErrors.length;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.maxPerSecond !== undefined){
const _errs15 = errors;
if(!(validate114(data.maxPerSecond, {instancePath:instancePath+"/maxPerSecond",parentData:data,parentDataProperty:"maxPerSecond",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate114.errors : vErrors.concat(validate114.errors);
errors = vErrors.length;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.headers !== undefined){
const _errs16 = errors;
if(!(validate116(data.headers, {instancePath:instancePath+"/headers",parentData:data,parentDataProperty:"headers",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.txHash !== undefined){
const _errs17 = errors;
if(!(validate279(data.txHash, {instancePath:instancePath+"/txHash",parentData:data,parentDataProperty:"txHash",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate279.errors : vErrors.concat(validate279.errors);
errors = vErrors.length;
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.blockNumber !== undefined){
const _errs18 = errors;
if(!(validate281(data.blockNumber, {instancePath:instancePath+"/blockNumber",parentData:data,parentDataProperty:"blockNumber",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate281.errors : vErrors.concat(validate281.errors);
errors = vErrors.length;
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
validate263.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate263.errors = vErrors;
return errors === 0;
}
validate263.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate262(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate262.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate263(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate263.errors : vErrors.concat(validate263.errors);
errors = vErrors.length;
}
validate262.errors = vErrors;
return errors === 0;
}
validate262.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check44 = validate284;
const schema133 = {"$ref":"contract#/components/schemas/WebhookUrl"};

function validate285(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate285.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 2048){
validate285.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"}];
return false;
}
else {
if(!pattern4.test(data)){
validate285.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[hH][tT][tT][pP][sS]?://[^\\s/?#@]+([/?#]\\S*)?$"},message:"must match pattern \""+"^[hH][tT][tT][pP][sS]?://[^\\s/?#@]+([/?#]\\S*)?$"+"\""}];
return false;
}
else {
if(!(formats0(data))){
validate285.errors = [{instancePath,schemaPath:"#/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
}
}
else {
validate285.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
validate285.errors = vErrors;
return errors === 0;
}
validate285.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate284(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate284.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate285(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate285.errors : vErrors.concat(validate285.errors);
errors = vErrors.length;
}
validate284.errors = vErrors;
return errors === 0;
}
validate284.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check45 = validate287;
const schema135 = {"$ref":"contract#/components/schemas/ChainId"};

function validate288(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate288.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern5.test(data)){
validate288.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[1-9][0-9]{0,18}$"},message:"must match pattern \""+"^[1-9][0-9]{0,18}$"+"\""}];
return false;
}
}
else {
validate288.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate288.errors = vErrors;
return errors === 0;
}
validate288.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate287(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate287.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate288(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate288.errors : vErrors.concat(validate288.errors);
errors = vErrors.length;
}
validate287.errors = vErrors;
return errors === 0;
}
validate287.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check46 = validate290;
const schema137 = {"$ref":"contract#/components/schemas/EventType"};

function validate291(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate291.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate291.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(data === "address_activity")){
validate291.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema25.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate291.errors = vErrors;
return errors === 0;
}
validate291.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate290(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate290.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate291(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate291.errors : vErrors.concat(validate291.errors);
errors = vErrors.length;
}
validate290.errors = vErrors;
return errors === 0;
}
validate290.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check47 = validate293;
const schema139 = {"$ref":"contract#/components/schemas/WebhookMetadataInput"};

function validate294(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate294.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(func3.call(schema26.properties, key0))){
validate294.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.addresses !== undefined){
let data0 = data.addresses;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 10000){
validate294.errors = [{instancePath:instancePath+"/addresses",schemaPath:"#/properties/addresses/maxItems",keyword:"maxItems",params:{limit: 10000},message:"must NOT have more than 10000 items"}];
return false;
}
else {
if(data0.length < 1){
validate294.errors = [{instancePath:instancePath+"/addresses",schemaPath:"#/properties/addresses/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate63(data0[i0], {instancePath:instancePath+"/addresses/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate294.errors = [{instancePath:instancePath+"/addresses",schemaPath:"#/properties/addresses/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.eventSignatures !== undefined){
let data2 = data.eventSignatures;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data2)){
if(data2.length > 100){
validate294.errors = [{instancePath:instancePath+"/eventSignatures",schemaPath:"#/properties/eventSignatures/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
var valid2 = true;
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
const _errs7 = errors;
if(!(validate65(data2[i1], {instancePath:instancePath+"/eventSignatures/" + i1,parentData:data2,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors);
errors = vErrors.length;
}
var valid2 = _errs7 === errors;
if(!valid2){
break;
}
}
}
}
else {
validate294.errors = [{instancePath:instancePath+"/eventSignatures",schemaPath:"#/properties/eventSignatures/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.includeInternalTxs !== undefined){
const _errs8 = errors;
if(!(validate67(data.includeInternalTxs, {instancePath:instancePath+"/includeInternalTxs",parentData:data,parentDataProperty:"includeInternalTxs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate67.errors : vErrors.concat(validate67.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.includeLogs !== undefined){
const _errs9 = errors;
if(!(validate69(data.includeLogs, {instancePath:instancePath+"/includeLogs",parentData:data,parentDataProperty:"includeLogs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate69.errors : vErrors.concat(validate69.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.includeTransfers !== undefined){
const _errs10 = errors;
if(!(validate71(data.includeTransfers, {instancePath:instancePath+"/includeTransfers",parentData:data,parentDataProperty:"includeTransfers",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate71.errors : vErrors.concat(validate71.errors);
errors = vErrors.length;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.abi !== undefined){
let data7 = data.abi;
const _errs11 = errors;
if(errors === _errs11){
if(Array.isArray(data7)){
if(data7.length > 100){
validate294.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
if(data7.length < 1){
validate294.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid3 = true;
const len2 = data7.length;
for(let i2=0; i2<len2; i2++){
const _errs13 = errors;
if(!(validate73(data7[i2], {instancePath:instancePath+"/abi/" + i2,parentData:data7,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate73.errors : vErrors.concat(validate73.errors);
errors = vErrors.length;
}
var valid3 = _errs13 === errors;
if(!valid3){
break;
}
}
}
}
}
else {
validate294.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.conditions !== undefined){
const _errs14 = errors;
if(!(validate77(data.conditions, {instancePath:instancePath+"/conditions",parentData:data,parentDataProperty:"conditions",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.anyAddress !== undefined){
const _errs15 = errors;
if(!(validate79(data.anyAddress, {instancePath:instancePath+"/anyAddress",parentData:data,parentDataProperty:"anyAddress",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate79.errors : vErrors.concat(validate79.errors);
errors = vErrors.length;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdBy !== undefined){
const _errs16 = errors;
if(!(validate81(data.createdBy, {instancePath:instancePath+"/createdBy",parentData:data,parentDataProperty:"createdBy",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate81.errors : vErrors.concat(validate81.errors);
errors = vErrors.length;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.batch !== undefined){
const _errs17 = errors;
if(!(validate87(data.batch, {instancePath:instancePath+"/batch",parentData:data,parentDataProperty:"batch",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate87.errors : vErrors.concat(validate87.errors);
errors = vErrors.length;
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ordered !== undefined){
const _errs18 = errors;
if(!(validate93(data.ordered, {instancePath:instancePath+"/ordered",parentData:data,parentDataProperty:"ordered",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate93.errors : vErrors.concat(validate93.errors);
errors = vErrors.length;
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
}
}
}
}
else {
validate294.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate294.errors = vErrors;
return errors === 0;
}
validate294.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate293(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate293.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate294(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate294.errors : vErrors.concat(validate294.errors);
errors = vErrors.length;
}
validate293.errors = vErrors;
return errors === 0;
}
validate293.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check48 = validate307;
const schema141 = {"$ref":"contract#/components/schemas/WebhookName"};

function validate308(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate308.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 200){
validate308.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern11.test(data)){
validate308.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
else {
validate308.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate308.errors = vErrors;
return errors === 0;
}
validate308.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate307(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate307.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate308(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate308.errors : vErrors.concat(validate308.errors);
errors = vErrors.length;
}
validate307.errors = vErrors;
return errors === 0;
}
validate307.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check49 = validate310;
const schema143 = {"$ref":"contract#/components/schemas/WebhookDescription"};

function validate311(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate311.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 2000){
validate311.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters"}];
return false;
}
else {
if(!pattern11.test(data)){
validate311.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
else {
validate311.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate311.errors = vErrors;
return errors === 0;
}
validate311.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate310(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate310.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate311(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate311.errors : vErrors.concat(validate311.errors);
errors = vErrors.length;
}
validate310.errors = vErrors;
return errors === 0;
}
validate310.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check50 = validate313;
const schema145 = {"$ref":"contract#/components/schemas/IncludeInternalTxs"};

function validate314(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate314.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate314.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate314.errors = vErrors;
return errors === 0;
}
validate314.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate313(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate313.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate314(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate314.errors : vErrors.concat(validate314.errors);
errors = vErrors.length;
}
validate313.errors = vErrors;
return errors === 0;
}
validate313.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check51 = validate316;
const schema147 = {"$ref":"contract#/components/schemas/IncludeLogs"};

function validate317(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate317.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate317.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate317.errors = vErrors;
return errors === 0;
}
validate317.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate316(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate316.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate317(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate317.errors : vErrors.concat(validate317.errors);
errors = vErrors.length;
}
validate316.errors = vErrors;
return errors === 0;
}
validate316.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check52 = validate319;
const schema149 = {"$ref":"contract#/components/schemas/FinalityInput"};

function validate320(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate320.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((typeof data !== "string") && (!(data && typeof data == "object" && !Array.isArray(data)))){
validate320.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema44.type},message:"must be string,object"}];
return false;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern18.test(data)){
validate320.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(instant|finalized|both)$"},message:"must match pattern \""+"^(instant|finalized|both)$"+"\""}];
return false;
}
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.confirmations === undefined) && (missing0 = "confirmations")){
validate320.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "confirmations")){
validate320.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.confirmations !== undefined){
if(!(validate103(data.confirmations, {instancePath:instancePath+"/confirmations",parentData:data,parentDataProperty:"confirmations",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate103.errors : vErrors.concat(validate103.errors);
errors = vErrors.length;
}
}
}
}
}
}
}
validate320.errors = vErrors;
return errors === 0;
}
validate320.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate319(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate319.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate320(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate320.errors : vErrors.concat(validate320.errors);
errors = vErrors.length;
}
validate319.errors = vErrors;
return errors === 0;
}
validate319.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check53 = validate323;
const schema151 = {"$ref":"contract#/components/schemas/CompatibilityInput"};

function validate324(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate324.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern19.test(data)){
validate324.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^glacier$"},message:"must match pattern \""+"^glacier$"+"\""}];
return false;
}
}
else {
validate324.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate324.errors = vErrors;
return errors === 0;
}
validate324.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate323(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate323.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate324(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate324.errors : vErrors.concat(validate324.errors);
errors = vErrors.length;
}
validate323.errors = vErrors;
return errors === 0;
}
validate323.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check54 = validate326;
const schema153 = {"$ref":"contract#/components/schemas/FromBlock"};

function validate327(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate327.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern20.test(data)){
validate327.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]{0,18})$"},message:"must match pattern \""+"^(0|[1-9][0-9]{0,18})$"+"\""}];
return false;
}
}
else {
validate327.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate327.errors = vErrors;
return errors === 0;
}
validate327.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate326(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate326.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate327(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate327.errors : vErrors.concat(validate327.errors);
errors = vErrors.length;
}
validate326.errors = vErrors;
return errors === 0;
}
validate326.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check55 = validate329;
const schema155 = {"$ref":"contract#/components/schemas/HistoryModeInput"};

function validate330(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate330.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern21.test(data)){
validate330.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(complete|headers|logs)$"},message:"must match pattern \""+"^(complete|headers|logs)$"+"\""}];
return false;
}
}
else {
validate330.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate330.errors = vErrors;
return errors === 0;
}
validate330.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate329(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate329.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate330(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate330.errors : vErrors.concat(validate330.errors);
errors = vErrors.length;
}
validate329.errors = vErrors;
return errors === 0;
}
validate329.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check56 = validate332;
const schema157 = {"$ref":"contract#/components/schemas/DeliveryInput"};

function validate333(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate333.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern22.test(data)){
validate333.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(url|feed)$"},message:"must match pattern \""+"^(url|feed)$"+"\""}];
return false;
}
}
else {
validate333.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate333.errors = vErrors;
return errors === 0;
}
validate333.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate332(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate332.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate333(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate333.errors : vErrors.concat(validate333.errors);
errors = vErrors.length;
}
validate332.errors = vErrors;
return errors === 0;
}
validate332.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check57 = validate335;
const schema159 = {"$ref":"contract#/components/schemas/MaxPerSecondInput"};

function validate336(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate336.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate336.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 1000 || isNaN(data)){
validate336.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000"}];
return false;
}
else {
if(data < 0 || isNaN(data)){
validate336.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
validate336.errors = vErrors;
return errors === 0;
}
validate336.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate335(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate335.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate336(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate336.errors : vErrors.concat(validate336.errors);
errors = vErrors.length;
}
validate335.errors = vErrors;
return errors === 0;
}
validate335.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check58 = validate338;
const schema161 = {"$ref":"contract#/components/schemas/HeadersInput"};

function validate339(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate339.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((!(data && typeof data == "object" && !Array.isArray(data))) && (data !== null)){
validate339.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema51.type},message:"must be object,null"}];
return false;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(Object.keys(data).length > 10){
validate339.errors = [{instancePath,schemaPath:"#/maxProperties",keyword:"maxProperties",params:{limit: 10},message:"must NOT have more than 10 properties"}];
return false;
}
else {
for(const key0 in data){
const _errs1 = errors;
if(typeof key0 === "string"){
if(!pattern23.test(key0)){
const err0 = {instancePath,schemaPath:"#/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[!#-'*+.0-9A-Z^-z|~-]{1,64}$"},message:"must match pattern \""+"^[!#-'*+.0-9A-Z^-z|~-]{1,64}$"+"\"",propertyName:key0};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var valid0 = _errs1 === errors;
if(!valid0){
const err1 = {instancePath,schemaPath:"#/propertyNames",keyword:"propertyNames",params:{propertyName: key0},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate339.errors = vErrors;
return false;
break;
}
}
if(valid0){
for(const key1 in data){
let data0 = data[key1];
const _errs3 = errors;
if(errors === _errs3){
if(typeof data0 === "string"){
if(func1(data0) > 1024){
validate339.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/additionalProperties/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"}];
return false;
}
else {
if(!pattern24.test(data0)){
validate339.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/additionalProperties/pattern",keyword:"pattern",params:{pattern: "^[!-~]([ -~]*[!-~])?$"},message:"must match pattern \""+"^[!-~]([ -~]*[!-~])?$"+"\""}];
return false;
}
}
}
else {
validate339.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
}
}
}
validate339.errors = vErrors;
return errors === 0;
}
validate339.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate338(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate338.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate339(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate339.errors : vErrors.concat(validate339.errors);
errors = vErrors.length;
}
validate338.errors = vErrors;
return errors === 0;
}
validate338.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check59 = validate341;
const schema163 = {"$ref":"contract#/components/schemas/TxHashInput"};

function validate342(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate342.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern7.test(data)){
validate342.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{64}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{64}$"+"\""}];
return false;
}
}
else {
validate342.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate342.errors = vErrors;
return errors === 0;
}
validate342.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate341(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate341.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate342(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate342.errors : vErrors.concat(validate342.errors);
errors = vErrors.length;
}
validate341.errors = vErrors;
return errors === 0;
}
validate341.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check60 = validate344;
const schema165 = {"$ref":"contract#/components/schemas/BlockNumberInput"};

function validate345(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate345.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern20.test(data)){
validate345.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]{0,18})$"},message:"must match pattern \""+"^(0|[1-9][0-9]{0,18})$"+"\""}];
return false;
}
}
else {
validate345.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate345.errors = vErrors;
return errors === 0;
}
validate345.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate344(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate344.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate345(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate345.errors : vErrors.concat(validate345.errors);
errors = vErrors.length;
}
validate344.errors = vErrors;
return errors === 0;
}
validate344.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check61 = validate347;
const schema167 = {"$ref":"contract#/components/schemas/UuidInput"};
const schema168 = {"type":"string","pattern":"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$","example":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a"};
const pattern72 = new RegExp("^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$", "");

function validate348(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate348.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern72.test(data)){
validate348.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"},message:"must match pattern \""+"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"+"\""}];
return false;
}
}
else {
validate348.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate348.errors = vErrors;
return errors === 0;
}
validate348.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate347(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate347.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate348(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate348.errors : vErrors.concat(validate348.errors);
errors = vErrors.length;
}
validate347.errors = vErrors;
return errors === 0;
}
validate347.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check62 = validate350;
const schema169 = {"$ref":"contract#/components/schemas/WebhookUpdate"};
const schema170 = {"type":"object","additionalProperties":false,"properties":{"name":{"$ref":"#/components/schemas/WebhookName","x-check":63},"description":{"$ref":"#/components/schemas/WebhookDescription","x-check":64},"url":{"$ref":"#/components/schemas/WebhookUrl","x-check":65},"status":{"$ref":"#/components/schemas/WebhookStatus","x-check":66},"includeInternalTxs":{"$ref":"#/components/schemas/IncludeInternalTxs","x-check":67},"includeLogs":{"$ref":"#/components/schemas/IncludeLogs","x-check":68},"maxPerSecond":{"$ref":"#/components/schemas/MaxPerSecondInput","x-check":69},"headers":{"$ref":"#/components/schemas/HeadersInput","x-check":70}}};

function validate355(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate355.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate355.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data === "active") || (data === "inactive"))){
validate355.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema126.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate355.errors = vErrors;
return errors === 0;
}
validate355.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate351(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate351.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((((((((key0 === "name") || (key0 === "description")) || (key0 === "url")) || (key0 === "status")) || (key0 === "includeInternalTxs")) || (key0 === "includeLogs")) || (key0 === "maxPerSecond")) || (key0 === "headers"))){
validate351.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.name !== undefined){
const _errs2 = errors;
if(!(validate96(data.name, {instancePath:instancePath+"/name",parentData:data,parentDataProperty:"name",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate96.errors : vErrors.concat(validate96.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.description !== undefined){
const _errs3 = errors;
if(!(validate98(data.description, {instancePath:instancePath+"/description",parentData:data,parentDataProperty:"description",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate98.errors : vErrors.concat(validate98.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.url !== undefined){
const _errs4 = errors;
if(!(validate56(data.url, {instancePath:instancePath+"/url",parentData:data,parentDataProperty:"url",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
const _errs5 = errors;
if(!(validate355(data.status, {instancePath:instancePath+"/status",parentData:data,parentDataProperty:"status",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate355.errors : vErrors.concat(validate355.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.includeInternalTxs !== undefined){
const _errs6 = errors;
if(!(validate67(data.includeInternalTxs, {instancePath:instancePath+"/includeInternalTxs",parentData:data,parentDataProperty:"includeInternalTxs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate67.errors : vErrors.concat(validate67.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.includeLogs !== undefined){
const _errs7 = errors;
if(!(validate69(data.includeLogs, {instancePath:instancePath+"/includeLogs",parentData:data,parentDataProperty:"includeLogs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate69.errors : vErrors.concat(validate69.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.maxPerSecond !== undefined){
const _errs8 = errors;
if(!(validate114(data.maxPerSecond, {instancePath:instancePath+"/maxPerSecond",parentData:data,parentDataProperty:"maxPerSecond",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate114.errors : vErrors.concat(validate114.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.headers !== undefined){
const _errs9 = errors;
if(!(validate116(data.headers, {instancePath:instancePath+"/headers",parentData:data,parentDataProperty:"headers",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
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
}
}
}
else {
validate351.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate351.errors = vErrors;
return errors === 0;
}
validate351.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate350(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate350.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate351(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate351.errors : vErrors.concat(validate351.errors);
errors = vErrors.length;
}
validate350.errors = vErrors;
return errors === 0;
}
validate350.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check63 = validate362;
const schema172 = {"$ref":"contract#/components/schemas/WebhookName"};

function validate363(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate363.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 200){
validate363.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern11.test(data)){
validate363.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
else {
validate363.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate363.errors = vErrors;
return errors === 0;
}
validate363.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate362(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate362.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate363(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate363.errors : vErrors.concat(validate363.errors);
errors = vErrors.length;
}
validate362.errors = vErrors;
return errors === 0;
}
validate362.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check64 = validate365;
const schema174 = {"$ref":"contract#/components/schemas/WebhookDescription"};

function validate366(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate366.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 2000){
validate366.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters"}];
return false;
}
else {
if(!pattern11.test(data)){
validate366.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]*$"},message:"must match pattern \""+"^[^\\u0000]*$"+"\""}];
return false;
}
}
}
else {
validate366.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate366.errors = vErrors;
return errors === 0;
}
validate366.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate365(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate365.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate366(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate366.errors : vErrors.concat(validate366.errors);
errors = vErrors.length;
}
validate365.errors = vErrors;
return errors === 0;
}
validate365.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check65 = validate368;
const schema176 = {"$ref":"contract#/components/schemas/WebhookUrl"};

function validate369(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate369.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 2048){
validate369.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"}];
return false;
}
else {
if(!pattern4.test(data)){
validate369.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[hH][tT][tT][pP][sS]?://[^\\s/?#@]+([/?#]\\S*)?$"},message:"must match pattern \""+"^[hH][tT][tT][pP][sS]?://[^\\s/?#@]+([/?#]\\S*)?$"+"\""}];
return false;
}
else {
if(!(formats0(data))){
validate369.errors = [{instancePath,schemaPath:"#/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
}
}
else {
validate369.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
validate369.errors = vErrors;
return errors === 0;
}
validate369.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate368(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate368.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate369(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate369.errors : vErrors.concat(validate369.errors);
errors = vErrors.length;
}
validate368.errors = vErrors;
return errors === 0;
}
validate368.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check66 = validate371;
const schema178 = {"$ref":"contract#/components/schemas/WebhookStatus"};

function validate372(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate372.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate372.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data === "active") || (data === "inactive"))){
validate372.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema126.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate372.errors = vErrors;
return errors === 0;
}
validate372.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate371(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate371.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate372(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate372.errors : vErrors.concat(validate372.errors);
errors = vErrors.length;
}
validate371.errors = vErrors;
return errors === 0;
}
validate371.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check67 = validate374;
const schema180 = {"$ref":"contract#/components/schemas/IncludeInternalTxs"};

function validate375(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate375.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate375.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate375.errors = vErrors;
return errors === 0;
}
validate375.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate374(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate374.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate375(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate375.errors : vErrors.concat(validate375.errors);
errors = vErrors.length;
}
validate374.errors = vErrors;
return errors === 0;
}
validate374.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check68 = validate377;
const schema182 = {"$ref":"contract#/components/schemas/IncludeLogs"};

function validate378(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate378.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate378.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate378.errors = vErrors;
return errors === 0;
}
validate378.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate377(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate377.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate378(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate378.errors : vErrors.concat(validate378.errors);
errors = vErrors.length;
}
validate377.errors = vErrors;
return errors === 0;
}
validate377.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check69 = validate380;
const schema184 = {"$ref":"contract#/components/schemas/MaxPerSecondInput"};

function validate381(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate381.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate381.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 1000 || isNaN(data)){
validate381.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000"}];
return false;
}
else {
if(data < 0 || isNaN(data)){
validate381.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
validate381.errors = vErrors;
return errors === 0;
}
validate381.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate380(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate380.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate381(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate381.errors : vErrors.concat(validate381.errors);
errors = vErrors.length;
}
validate380.errors = vErrors;
return errors === 0;
}
validate380.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check70 = validate383;
const schema186 = {"$ref":"contract#/components/schemas/HeadersInput"};

function validate384(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate384.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((!(data && typeof data == "object" && !Array.isArray(data))) && (data !== null)){
validate384.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema51.type},message:"must be object,null"}];
return false;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(Object.keys(data).length > 10){
validate384.errors = [{instancePath,schemaPath:"#/maxProperties",keyword:"maxProperties",params:{limit: 10},message:"must NOT have more than 10 properties"}];
return false;
}
else {
for(const key0 in data){
const _errs1 = errors;
if(typeof key0 === "string"){
if(!pattern23.test(key0)){
const err0 = {instancePath,schemaPath:"#/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[!#-'*+.0-9A-Z^-z|~-]{1,64}$"},message:"must match pattern \""+"^[!#-'*+.0-9A-Z^-z|~-]{1,64}$"+"\"",propertyName:key0};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var valid0 = _errs1 === errors;
if(!valid0){
const err1 = {instancePath,schemaPath:"#/propertyNames",keyword:"propertyNames",params:{propertyName: key0},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate384.errors = vErrors;
return false;
break;
}
}
if(valid0){
for(const key1 in data){
let data0 = data[key1];
const _errs3 = errors;
if(errors === _errs3){
if(typeof data0 === "string"){
if(func1(data0) > 1024){
validate384.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/additionalProperties/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"}];
return false;
}
else {
if(!pattern24.test(data0)){
validate384.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/additionalProperties/pattern",keyword:"pattern",params:{pattern: "^[!-~]([ -~]*[!-~])?$"},message:"must match pattern \""+"^[!-~]([ -~]*[!-~])?$"+"\""}];
return false;
}
}
}
else {
validate384.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
}
}
}
validate384.errors = vErrors;
return errors === 0;
}
validate384.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate383(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate383.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate384(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate384.errors : vErrors.concat(validate384.errors);
errors = vErrors.length;
}
validate383.errors = vErrors;
return errors === 0;
}
validate383.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check71 = validate386;
const schema188 = {"type":"integer","minimum":1,"maximum":1000,"default":100};

function validate386(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate386.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate386.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 1000 || isNaN(data)){
validate386.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000"}];
return false;
}
else {
if(data < 1 || isNaN(data)){
validate386.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
validate386.errors = vErrors;
return errors === 0;
}
validate386.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check72 = validate387;
const schema189 = {"$ref":"contract#/components/schemas/AddressAdditionInput"};
const schema190 = {"type":"object","required":["addresses"],"additionalProperties":false,"properties":{"addresses":{"type":"array","minItems":1,"maxItems":10000,"items":{"$ref":"#/components/schemas/AddressInput"},"x-check":73},"fromBlock":{"$ref":"#/components/schemas/BlockNumberInput","x-check":74}}};

function validate388(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate388.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.addresses === undefined) && (missing0 = "addresses")){
validate388.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "addresses") || (key0 === "fromBlock"))){
validate388.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.addresses !== undefined){
let data0 = data.addresses;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 10000){
validate388.errors = [{instancePath:instancePath+"/addresses",schemaPath:"#/properties/addresses/maxItems",keyword:"maxItems",params:{limit: 10000},message:"must NOT have more than 10000 items"}];
return false;
}
else {
if(data0.length < 1){
validate388.errors = [{instancePath:instancePath+"/addresses",schemaPath:"#/properties/addresses/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate63(data0[i0], {instancePath:instancePath+"/addresses/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate388.errors = [{instancePath:instancePath+"/addresses",schemaPath:"#/properties/addresses/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.fromBlock !== undefined){
const _errs5 = errors;
if(!(validate281(data.fromBlock, {instancePath:instancePath+"/fromBlock",parentData:data,parentDataProperty:"fromBlock",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate281.errors : vErrors.concat(validate281.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate388.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate388.errors = vErrors;
return errors === 0;
}
validate388.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate387(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate387.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate388(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate388.errors : vErrors.concat(validate388.errors);
errors = vErrors.length;
}
validate387.errors = vErrors;
return errors === 0;
}
validate387.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check73 = validate392;
const schema191 = {"type":"array","minItems":1,"maxItems":10000,"items":{"$ref":"contract#/components/schemas/AddressInput"}};

function validate393(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate393.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern6.test(data)){
validate393.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{40}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{40}$"+"\""}];
return false;
}
}
else {
validate393.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate393.errors = vErrors;
return errors === 0;
}
validate393.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate392(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate392.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length > 10000){
validate392.errors = [{instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 10000},message:"must NOT have more than 10000 items"}];
return false;
}
else {
if(data.length < 1){
validate392.errors = [{instancePath,schemaPath:"#/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(!(validate393(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate393.errors : vErrors.concat(validate393.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
}
}
else {
validate392.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate392.errors = vErrors;
return errors === 0;
}
validate392.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

export const check74 = validate395;
const schema193 = {"$ref":"contract#/components/schemas/BlockNumberInput"};

function validate396(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate396.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern20.test(data)){
validate396.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]{0,18})$"},message:"must match pattern \""+"^(0|[1-9][0-9]{0,18})$"+"\""}];
return false;
}
}
else {
validate396.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate396.errors = vErrors;
return errors === 0;
}
validate396.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate395(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate395.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate396(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate396.errors : vErrors.concat(validate396.errors);
errors = vErrors.length;
}
validate395.errors = vErrors;
return errors === 0;
}
validate395.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check75 = validate398;
const schema195 = {"$ref":"contract#/components/schemas/AddressListInput"};
const schema196 = {"type":"object","required":["addresses"],"additionalProperties":false,"properties":{"addresses":{"type":"array","minItems":1,"maxItems":10000,"items":{"$ref":"#/components/schemas/AddressInput"},"x-check":76}}};

function validate399(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate399.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.addresses === undefined) && (missing0 = "addresses")){
validate399.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "addresses")){
validate399.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.addresses !== undefined){
let data0 = data.addresses;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 10000){
validate399.errors = [{instancePath:instancePath+"/addresses",schemaPath:"#/properties/addresses/maxItems",keyword:"maxItems",params:{limit: 10000},message:"must NOT have more than 10000 items"}];
return false;
}
else {
if(data0.length < 1){
validate399.errors = [{instancePath:instancePath+"/addresses",schemaPath:"#/properties/addresses/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate63(data0[i0], {instancePath:instancePath+"/addresses/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate399.errors = [{instancePath:instancePath+"/addresses",schemaPath:"#/properties/addresses/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
}
}
else {
validate399.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate399.errors = vErrors;
return errors === 0;
}
validate399.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate398(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate398.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate399(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate399.errors : vErrors.concat(validate399.errors);
errors = vErrors.length;
}
validate398.errors = vErrors;
return errors === 0;
}
validate398.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check76 = validate402;
const schema197 = {"type":"array","minItems":1,"maxItems":10000,"items":{"$ref":"contract#/components/schemas/AddressInput"}};

function validate403(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate403.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern6.test(data)){
validate403.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{40}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{40}$"+"\""}];
return false;
}
}
else {
validate403.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate403.errors = vErrors;
return errors === 0;
}
validate403.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate402(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate402.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length > 10000){
validate402.errors = [{instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 10000},message:"must NOT have more than 10000 items"}];
return false;
}
else {
if(data.length < 1){
validate402.errors = [{instancePath,schemaPath:"#/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(!(validate403(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate403.errors : vErrors.concat(validate403.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
}
}
else {
validate402.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate402.errors = vErrors;
return errors === 0;
}
validate402.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

export const check77 = validate405;
const schema199 = {"type":"string","maxLength":512,"pattern":"^0x[0-9a-f]{2,39}(,0x[0-9a-f]{2,39}){0,15}$"};
const pattern81 = new RegExp("^0x[0-9a-f]{2,39}(,0x[0-9a-f]{2,39}){0,15}$", "");

function validate405(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate405.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 512){
validate405.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 512},message:"must NOT have more than 512 characters"}];
return false;
}
else {
if(!pattern81.test(data)){
validate405.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{2,39}(,0x[0-9a-f]{2,39}){0,15}$"},message:"must match pattern \""+"^0x[0-9a-f]{2,39}(,0x[0-9a-f]{2,39}){0,15}$"+"\""}];
return false;
}
}
}
else {
validate405.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate405.errors = vErrors;
return errors === 0;
}
validate405.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check78 = validate406;
const schema200 = {"$ref":"contract#/components/schemas/UuidInput"};

function validate407(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate407.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern72.test(data)){
validate407.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"},message:"must match pattern \""+"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"+"\""}];
return false;
}
}
else {
validate407.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate407.errors = vErrors;
return errors === 0;
}
validate407.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate406(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate406.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate407(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate407.errors : vErrors.concat(validate407.errors);
errors = vErrors.length;
}
validate406.errors = vErrors;
return errors === 0;
}
validate406.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check79 = validate409;
const schema202 = {"$ref":"contract#/components/schemas/AddressChangeInput"};
const schema203 = {"type":"object","additionalProperties":false,"properties":{"add":{"type":"array","maxItems":10000,"items":{"$ref":"#/components/schemas/AddressInput"},"x-check":80},"remove":{"type":"array","maxItems":10000,"items":{"$ref":"#/components/schemas/AddressInput"},"x-check":81},"commit":{"type":"boolean","example":true,"x-check":82},"addressDigest":{"$ref":"#/components/schemas/AddressDigestInput","x-check":83}}};
const schema204 = {"type":"string","pattern":"^0x[0-9a-fA-F]{64}$","example":"0xdb0e6a8a7a3be288dbba1855ff424f3891df36a57970b1cca21cbe182151812d"};

function validate413(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate413.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern7.test(data)){
validate413.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{64}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{64}$"+"\""}];
return false;
}
}
else {
validate413.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate413.errors = vErrors;
return errors === 0;
}
validate413.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate410(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate410.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "add") || (key0 === "remove")) || (key0 === "commit")) || (key0 === "addressDigest"))){
validate410.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.add !== undefined){
let data0 = data.add;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 10000){
validate410.errors = [{instancePath:instancePath+"/add",schemaPath:"#/properties/add/maxItems",keyword:"maxItems",params:{limit: 10000},message:"must NOT have more than 10000 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate63(data0[i0], {instancePath:instancePath+"/add/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate410.errors = [{instancePath:instancePath+"/add",schemaPath:"#/properties/add/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.remove !== undefined){
let data2 = data.remove;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data2)){
if(data2.length > 10000){
validate410.errors = [{instancePath:instancePath+"/remove",schemaPath:"#/properties/remove/maxItems",keyword:"maxItems",params:{limit: 10000},message:"must NOT have more than 10000 items"}];
return false;
}
else {
var valid2 = true;
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
const _errs7 = errors;
if(!(validate63(data2[i1], {instancePath:instancePath+"/remove/" + i1,parentData:data2,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid2 = _errs7 === errors;
if(!valid2){
break;
}
}
}
}
else {
validate410.errors = [{instancePath:instancePath+"/remove",schemaPath:"#/properties/remove/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.commit !== undefined){
const _errs8 = errors;
if(typeof data.commit !== "boolean"){
validate410.errors = [{instancePath:instancePath+"/commit",schemaPath:"#/properties/commit/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.addressDigest !== undefined){
const _errs10 = errors;
if(!(validate413(data.addressDigest, {instancePath:instancePath+"/addressDigest",parentData:data,parentDataProperty:"addressDigest",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate413.errors : vErrors.concat(validate413.errors);
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
validate410.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate410.errors = vErrors;
return errors === 0;
}
validate410.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate409(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate409.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate410(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate410.errors : vErrors.concat(validate410.errors);
errors = vErrors.length;
}
validate409.errors = vErrors;
return errors === 0;
}
validate409.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check80 = validate416;
const schema205 = {"type":"array","maxItems":10000,"items":{"$ref":"contract#/components/schemas/AddressInput"}};

function validate417(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate417.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern6.test(data)){
validate417.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{40}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{40}$"+"\""}];
return false;
}
}
else {
validate417.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate417.errors = vErrors;
return errors === 0;
}
validate417.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate416(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate416.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length > 10000){
validate416.errors = [{instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 10000},message:"must NOT have more than 10000 items"}];
return false;
}
else {
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(!(validate417(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate417.errors : vErrors.concat(validate417.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
}
else {
validate416.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate416.errors = vErrors;
return errors === 0;
}
validate416.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

export const check81 = validate419;
const schema207 = {"type":"array","maxItems":10000,"items":{"$ref":"contract#/components/schemas/AddressInput"}};

function validate420(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate420.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern6.test(data)){
validate420.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{40}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{40}$"+"\""}];
return false;
}
}
else {
validate420.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate420.errors = vErrors;
return errors === 0;
}
validate420.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate419(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate419.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length > 10000){
validate419.errors = [{instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 10000},message:"must NOT have more than 10000 items"}];
return false;
}
else {
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(!(validate420(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate420.errors : vErrors.concat(validate420.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
}
else {
validate419.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate419.errors = vErrors;
return errors === 0;
}
validate419.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

export const check82 = validate422;
const schema209 = {"type":"boolean","example":true};

function validate422(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate422.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate422.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate422.errors = vErrors;
return errors === 0;
}
validate422.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check83 = validate423;
const schema210 = {"$ref":"contract#/components/schemas/AddressDigestInput"};

function validate424(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate424.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern7.test(data)){
validate424.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{64}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{64}$"+"\""}];
return false;
}
}
else {
validate424.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate424.errors = vErrors;
return errors === 0;
}
validate424.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate423(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate423.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate424(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate424.errors : vErrors.concat(validate424.errors);
errors = vErrors.length;
}
validate423.errors = vErrors;
return errors === 0;
}
validate423.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check84 = validate426;
const schema212 = {"$ref":"contract#/components/schemas/NotificationStatus"};
const schema213 = {"type":"string","enum":["pending","delivered","failed"],"example":"delivered"};

function validate427(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate427.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate427.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data === "pending") || (data === "delivered")) || (data === "failed"))){
validate427.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema213.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate427.errors = vErrors;
return errors === 0;
}
validate427.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate426(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate426.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate427(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate427.errors : vErrors.concat(validate427.errors);
errors = vErrors.length;
}
validate426.errors = vErrors;
return errors === 0;
}
validate426.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check85 = validate429;
const schema214 = {"type":"integer","format":"int64","minimum":0,"maximum":9007199254740991};

function validate429(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate429.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate429.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 9007199254740991 || isNaN(data)){
validate429.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data < 0 || isNaN(data)){
validate429.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
validate429.errors = vErrors;
return errors === 0;
}
validate429.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check86 = validate430;
const schema215 = {"type":"integer","minimum":1,"maximum":200,"default":50};

function validate430(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate430.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate430.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 200 || isNaN(data)){
validate430.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 200},message:"must be <= 200"}];
return false;
}
else {
if(data < 1 || isNaN(data)){
validate430.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
validate430.errors = vErrors;
return errors === 0;
}
validate430.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check87 = validate431;
const schema216 = {"$ref":"contract#/components/schemas/UuidInput"};

function validate432(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate432.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern72.test(data)){
validate432.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"},message:"must match pattern \""+"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"+"\""}];
return false;
}
}
else {
validate432.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate432.errors = vErrors;
return errors === 0;
}
validate432.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate431(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate431.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate432(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate432.errors : vErrors.concat(validate432.errors);
errors = vErrors.length;
}
validate431.errors = vErrors;
return errors === 0;
}
validate431.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check88 = validate434;
const schema218 = {"type":"integer","format":"int64","minimum":0,"maximum":9007199254740991};

function validate434(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate434.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate434.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 9007199254740991 || isNaN(data)){
validate434.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data < 0 || isNaN(data)){
validate434.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
validate434.errors = vErrors;
return errors === 0;
}
validate434.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check89 = validate435;
const schema219 = {"type":"integer","minimum":1,"maximum":200,"default":50};

function validate435(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate435.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate435.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 200 || isNaN(data)){
validate435.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 200},message:"must be <= 200"}];
return false;
}
else {
if(data < 1 || isNaN(data)){
validate435.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
validate435.errors = vErrors;
return errors === 0;
}
validate435.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check90 = validate436;
const schema220 = {"type":"integer","minimum":0,"maximum":30,"default":0};

function validate436(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate436.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate436.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 30 || isNaN(data)){
validate436.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 30},message:"must be <= 30"}];
return false;
}
else {
if(data < 0 || isNaN(data)){
validate436.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
validate436.errors = vErrors;
return errors === 0;
}
validate436.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check91 = validate437;
const schema221 = {"type":"string","pattern":"^(0|[1-9][0-9]{0,14})$"};
const pattern88 = new RegExp("^(0|[1-9][0-9]{0,14})$", "");

function validate437(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate437.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern88.test(data)){
validate437.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]{0,14})$"},message:"must match pattern \""+"^(0|[1-9][0-9]{0,14})$"+"\""}];
return false;
}
}
else {
validate437.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate437.errors = vErrors;
return errors === 0;
}
validate437.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check92 = validate438;
const schema222 = {"$ref":"contract#/components/schemas/ReplayCreate"};
const schema223 = {"type":"object","required":["fromBlock","toBlock"],"additionalProperties":false,"properties":{"fromBlock":{"$ref":"#/components/schemas/BlockNumberInput","x-check":93},"toBlock":{"$ref":"#/components/schemas/BlockNumberInput","x-check":94},"includeEarlier":{"type":"boolean","example":true,"x-check":95}}};

function validate439(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate439.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.fromBlock === undefined) && (missing0 = "fromBlock")) || ((data.toBlock === undefined) && (missing0 = "toBlock"))){
validate439.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "fromBlock") || (key0 === "toBlock")) || (key0 === "includeEarlier"))){
validate439.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.fromBlock !== undefined){
const _errs2 = errors;
if(!(validate281(data.fromBlock, {instancePath:instancePath+"/fromBlock",parentData:data,parentDataProperty:"fromBlock",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate281.errors : vErrors.concat(validate281.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.toBlock !== undefined){
const _errs3 = errors;
if(!(validate281(data.toBlock, {instancePath:instancePath+"/toBlock",parentData:data,parentDataProperty:"toBlock",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate281.errors : vErrors.concat(validate281.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.includeEarlier !== undefined){
const _errs4 = errors;
if(typeof data.includeEarlier !== "boolean"){
validate439.errors = [{instancePath:instancePath+"/includeEarlier",schemaPath:"#/properties/includeEarlier/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs4 === errors;
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
validate439.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate439.errors = vErrors;
return errors === 0;
}
validate439.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate438(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate438.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate439(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate439.errors : vErrors.concat(validate439.errors);
errors = vErrors.length;
}
validate438.errors = vErrors;
return errors === 0;
}
validate438.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check93 = validate443;
const schema224 = {"$ref":"contract#/components/schemas/BlockNumberInput"};

function validate444(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate444.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern20.test(data)){
validate444.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]{0,18})$"},message:"must match pattern \""+"^(0|[1-9][0-9]{0,18})$"+"\""}];
return false;
}
}
else {
validate444.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate444.errors = vErrors;
return errors === 0;
}
validate444.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate443(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate443.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate444(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate444.errors : vErrors.concat(validate444.errors);
errors = vErrors.length;
}
validate443.errors = vErrors;
return errors === 0;
}
validate443.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check94 = validate446;
const schema226 = {"$ref":"contract#/components/schemas/BlockNumberInput"};

function validate447(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate447.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern20.test(data)){
validate447.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]{0,18})$"},message:"must match pattern \""+"^(0|[1-9][0-9]{0,18})$"+"\""}];
return false;
}
}
else {
validate447.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate447.errors = vErrors;
return errors === 0;
}
validate447.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate446(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate446.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate447(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate447.errors : vErrors.concat(validate447.errors);
errors = vErrors.length;
}
validate446.errors = vErrors;
return errors === 0;
}
validate446.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check95 = validate449;
const schema228 = {"type":"boolean","example":true};

function validate449(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate449.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate449.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate449.errors = vErrors;
return errors === 0;
}
validate449.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check96 = validate450;
const schema229 = {"$ref":"contract#/components/schemas/UuidInput"};

function validate451(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate451.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern72.test(data)){
validate451.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"},message:"must match pattern \""+"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"+"\""}];
return false;
}
}
else {
validate451.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate451.errors = vErrors;
return errors === 0;
}
validate451.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate450(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate450.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate451(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate451.errors : vErrors.concat(validate451.errors);
errors = vErrors.length;
}
validate450.errors = vErrors;
return errors === 0;
}
validate450.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check97 = validate453;
const schema231 = {"$ref":"contract#/components/schemas/TxHashInput"};

function validate454(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate454.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern7.test(data)){
validate454.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-fA-F]{64}$"},message:"must match pattern \""+"^0x[0-9a-fA-F]{64}$"+"\""}];
return false;
}
}
else {
validate454.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate454.errors = vErrors;
return errors === 0;
}
validate454.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate453(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate453.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate454(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate454.errors : vErrors.concat(validate454.errors);
errors = vErrors.length;
}
validate453.errors = vErrors;
return errors === 0;
}
validate453.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check98 = validate456;
const schema233 = {"$ref":"contract#/components/schemas/OperationalWebhookInput"};
const schema234 = {"type":"object","additionalProperties":false,"properties":{"url":{"$ref":"#/components/schemas/WebhookUrl","x-check":99},"format":{"$ref":"#/components/schemas/OperationalFormat","x-check":100},"headers":{"$ref":"#/components/schemas/HeadersInput","x-check":101}}};
const schema235 = {"type":"string","enum":["signed","slack","discord","pagerduty","teams"],"example":"signed"};

function validate459(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate459.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate459.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((((data === "signed") || (data === "slack")) || (data === "discord")) || (data === "pagerduty")) || (data === "teams"))){
validate459.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema235.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate459.errors = vErrors;
return errors === 0;
}
validate459.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate457(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate457.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "url") || (key0 === "format")) || (key0 === "headers"))){
validate457.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.url !== undefined){
const _errs2 = errors;
if(!(validate56(data.url, {instancePath:instancePath+"/url",parentData:data,parentDataProperty:"url",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.format !== undefined){
const _errs3 = errors;
if(!(validate459(data.format, {instancePath:instancePath+"/format",parentData:data,parentDataProperty:"format",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate459.errors : vErrors.concat(validate459.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.headers !== undefined){
const _errs4 = errors;
if(!(validate116(data.headers, {instancePath:instancePath+"/headers",parentData:data,parentDataProperty:"headers",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate457.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate457.errors = vErrors;
return errors === 0;
}
validate457.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate456(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate456.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate457(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate457.errors : vErrors.concat(validate457.errors);
errors = vErrors.length;
}
validate456.errors = vErrors;
return errors === 0;
}
validate456.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check99 = validate463;
const schema236 = {"$ref":"contract#/components/schemas/WebhookUrl"};

function validate464(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate464.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 2048){
validate464.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"}];
return false;
}
else {
if(!pattern4.test(data)){
validate464.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[hH][tT][tT][pP][sS]?://[^\\s/?#@]+([/?#]\\S*)?$"},message:"must match pattern \""+"^[hH][tT][tT][pP][sS]?://[^\\s/?#@]+([/?#]\\S*)?$"+"\""}];
return false;
}
else {
if(!(formats0(data))){
validate464.errors = [{instancePath,schemaPath:"#/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
}
}
else {
validate464.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
validate464.errors = vErrors;
return errors === 0;
}
validate464.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate463(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate463.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate464(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate464.errors : vErrors.concat(validate464.errors);
errors = vErrors.length;
}
validate463.errors = vErrors;
return errors === 0;
}
validate463.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check100 = validate466;
const schema238 = {"$ref":"contract#/components/schemas/OperationalFormat"};

function validate467(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate467.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate467.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((((data === "signed") || (data === "slack")) || (data === "discord")) || (data === "pagerduty")) || (data === "teams"))){
validate467.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema235.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate467.errors = vErrors;
return errors === 0;
}
validate467.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate466(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate466.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate467(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate467.errors : vErrors.concat(validate467.errors);
errors = vErrors.length;
}
validate466.errors = vErrors;
return errors === 0;
}
validate466.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check101 = validate469;
const schema240 = {"$ref":"contract#/components/schemas/HeadersInput"};

function validate470(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate470.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((!(data && typeof data == "object" && !Array.isArray(data))) && (data !== null)){
validate470.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema51.type},message:"must be object,null"}];
return false;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(Object.keys(data).length > 10){
validate470.errors = [{instancePath,schemaPath:"#/maxProperties",keyword:"maxProperties",params:{limit: 10},message:"must NOT have more than 10 properties"}];
return false;
}
else {
for(const key0 in data){
const _errs1 = errors;
if(typeof key0 === "string"){
if(!pattern23.test(key0)){
const err0 = {instancePath,schemaPath:"#/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[!#-'*+.0-9A-Z^-z|~-]{1,64}$"},message:"must match pattern \""+"^[!#-'*+.0-9A-Z^-z|~-]{1,64}$"+"\"",propertyName:key0};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var valid0 = _errs1 === errors;
if(!valid0){
const err1 = {instancePath,schemaPath:"#/propertyNames",keyword:"propertyNames",params:{propertyName: key0},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate470.errors = vErrors;
return false;
break;
}
}
if(valid0){
for(const key1 in data){
let data0 = data[key1];
const _errs3 = errors;
if(errors === _errs3){
if(typeof data0 === "string"){
if(func1(data0) > 1024){
validate470.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/additionalProperties/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"}];
return false;
}
else {
if(!pattern24.test(data0)){
validate470.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/additionalProperties/pattern",keyword:"pattern",params:{pattern: "^[!-~]([ -~]*[!-~])?$"},message:"must match pattern \""+"^[!-~]([ -~]*[!-~])?$"+"\""}];
return false;
}
}
}
else {
validate470.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
}
}
}
validate470.errors = vErrors;
return errors === 0;
}
validate470.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate469(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate469.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate470(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate470.errors : vErrors.concat(validate470.errors);
errors = vErrors.length;
}
validate469.errors = vErrors;
return errors === 0;
}
validate469.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const check102 = validate472;
const schema242 = {"type":"integer","format":"int64","minimum":0,"maximum":9007199254740991};

function validate472(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate472.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate472.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 9007199254740991 || isNaN(data)){
validate472.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data < 0 || isNaN(data)){
validate472.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
validate472.errors = vErrors;
return errors === 0;
}
validate472.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check103 = validate473;
const schema243 = {"type":"integer","minimum":1,"maximum":200,"default":50};

function validate473(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate473.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate473.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 200 || isNaN(data)){
validate473.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 200},message:"must be <= 200"}];
return false;
}
else {
if(data < 1 || isNaN(data)){
validate473.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
validate473.errors = vErrors;
return errors === 0;
}
validate473.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check104 = validate474;
const schema244 = {"type":"integer","minimum":0,"maximum":30,"default":0};

function validate474(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate474.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
validate474.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === 0){
if(typeof data == "number"){
if(data > 30 || isNaN(data)){
validate474.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 30},message:"must be <= 30"}];
return false;
}
else {
if(data < 0 || isNaN(data)){
validate474.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
validate474.errors = vErrors;
return errors === 0;
}
validate474.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const check105 = validate475;
const schema245 = {"type":"string","pattern":"^(0|[1-9][0-9]{0,14})$"};

function validate475(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate475.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern88.test(data)){
validate475.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]{0,14})$"},message:"must match pattern \""+"^(0|[1-9][0-9]{0,14})$"+"\""}];
return false;
}
}
else {
validate475.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate475.errors = vErrors;
return errors === 0;
}
validate475.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const checks = [check0, check1, check2, check3, check4, check5, check6, check7, check8, check9, check10, check11, check12, check13, check14, check15, check16, check17, check18, check19, check20, check21, check22, check23, check24, check25, check26, check27, check28, check29, check30, check31, check32, check33, check34, check35, check36, check37, check38, check39, check40, check41, check42, check43, check44, check45, check46, check47, check48, check49, check50, check51, check52, check53, check54, check55, check56, check57, check58, check59, check60, check61, check62, check63, check64, check65, check66, check67, check68, check69, check70, check71, check72, check73, check74, check75, check76, check77, check78, check79, check80, check81, check82, check83, check84, check85, check86, check87, check88, check89, check90, check91, check92, check93, check94, check95, check96, check97, check98, check99, check100, check101, check102, check103, check104, check105];

export const contractPart = {"openapi":"3.1.0","paths":{"/v1/webhooks":{"post":{"operationId":"createWebhook","parameters":[{"$ref":"#/components/parameters/IdempotencyKey"}],"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/WebhookCreate","x-check":1}}}},"responses":{"201":{"content":{"application/json":{"examples":{"history":{"$ref":"#/components/examples/webhook.history"},"nonFungibleTransfer":{"$ref":"#/components/examples/webhook.non-fungible-transfer"},"multiTokenTransfer":{"$ref":"#/components/examples/webhook.multi-token-transfer"},"wallet":{"$ref":"#/components/examples/webhook.wallet"},"internalTransactions":{"$ref":"#/components/examples/webhook.internal-transactions"},"decodedLogs":{"$ref":"#/components/examples/webhook.decoded-logs"},"batches":{"$ref":"#/components/examples/webhook.batches"},"finality":{"$ref":"#/components/examples/webhook.finality"},"tokenTransfers":{"$ref":"#/components/examples/webhook.token-transfers"},"glacier":{"$ref":"#/components/examples/webhook.glacier"},"feed":{"$ref":"#/components/examples/webhook.feed"}}}},"headers":{"Location":{"required":true,"example":"/v1/webhooks/6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a"}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"409":{"$ref":"#/components/responses/Conflict"},"413":{"$ref":"#/components/responses/ContentTooLarge"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"502":{"$ref":"#/components/responses/BadGateway"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}},"get":{"operationId":"listWebhooks","parameters":[{"name":"status","in":"query","schema":{"$ref":"#/components/schemas/WebhookStatus","x-check":40}},{"$ref":"#/components/parameters/PageToken"},{"name":"pageSize","in":"query","schema":{"type":"integer","minimum":1,"maximum":100,"default":10,"x-check":42}}],"responses":{"200":{"content":{"application/json":{"examples":{"page":{"$ref":"#/components/examples/webhook-page"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/webhooks/preview":{"post":{"operationId":"previewWebhook","requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PreviewInput","x-check":43}}}},"responses":{"200":{"content":{"application/json":{"examples":{"matches":{"$ref":"#/components/examples/preview.matches"},"block":{"$ref":"#/components/examples/preview.block"},"otherEvent":{"$ref":"#/components/examples/preview.other-event"},"conditionFailed":{"$ref":"#/components/examples/preview.condition-failed"},"notWatched":{"$ref":"#/components/examples/preview.not-watched"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"413":{"$ref":"#/components/responses/ContentTooLarge"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"502":{"$ref":"#/components/responses/BadGateway"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/webhooks/{id}":{"parameters":[{"$ref":"#/components/parameters/WebhookId"}],"get":{"operationId":"getWebhook","responses":{"200":{"content":{"application/json":{"examples":{"nonFungibleTransfer":{"$ref":"#/components/examples/webhook.non-fungible-transfer"},"inactive":{"$ref":"#/components/examples/webhook.inactive"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}},"patch":{"operationId":"updateWebhook","requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/WebhookUpdate","x-check":62}}}},"responses":{"200":{"content":{"application/json":{"examples":{"nonFungibleTransfer":{"$ref":"#/components/examples/webhook.non-fungible-transfer"},"inactive":{"$ref":"#/components/examples/webhook.inactive"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"413":{"$ref":"#/components/responses/ContentTooLarge"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"502":{"$ref":"#/components/responses/BadGateway"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}},"delete":{"operationId":"deleteWebhook","responses":{"200":{"content":{"application/json":{"examples":{"deleted":{"$ref":"#/components/examples/webhook.deleted"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/webhooks/{id}/addresses":{"parameters":[{"$ref":"#/components/parameters/WebhookId"}],"get":{"operationId":"listWebhookAddresses","parameters":[{"$ref":"#/components/parameters/PageToken"},{"name":"pageSize","in":"query","schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"x-check":71}}],"responses":{"200":{"content":{"application/json":{"examples":{"page":{"$ref":"#/components/examples/address-page"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}},"patch":{"operationId":"addWebhookAddresses","requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/AddressAdditionInput","x-check":72}}}},"responses":{"200":{"content":{"application/json":{"examples":{"changed":{"$ref":"#/components/examples/address-change"},"past":{"$ref":"#/components/examples/address-change.past"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/ReplayForbidden"},"404":{"$ref":"#/components/responses/NotFound"},"409":{"$ref":"#/components/responses/TooManyReplays"},"413":{"$ref":"#/components/responses/ContentTooLarge"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"502":{"$ref":"#/components/responses/BadGateway"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}},"delete":{"operationId":"removeWebhookAddresses","requestBody":{"$ref":"#/components/requestBodies/Addresses"},"responses":{"200":{"content":{"application/json":{"examples":{"changed":{"$ref":"#/components/examples/address-change"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"413":{"$ref":"#/components/responses/ContentTooLarge"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"502":{"$ref":"#/components/responses/BadGateway"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/webhooks/{id}/addresses/digests":{"parameters":[{"$ref":"#/components/parameters/WebhookId"}],"get":{"operationId":"listWebhookAddressDigests","parameters":[{"name":"prefix","in":"query","schema":{"type":"string","maxLength":512,"pattern":"^0x[0-9a-f]{2,39}(,0x[0-9a-f]{2,39}){0,15}$","x-check":77},"example":"0x54,0xd8"}],"responses":{"200":{"content":{"application/json":{"examples":{"byPrefix":{"$ref":"#/components/examples/address-digests"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/webhooks/{id}/addresses/changes/{changeId}":{"parameters":[{"$ref":"#/components/parameters/WebhookId"},{"name":"changeId","in":"path","required":true,"schema":{"$ref":"#/components/schemas/UuidInput","x-check":78},"example":"3c6c2a4e-7d0b-4f0a-9a64-0d3f5a1b8e21"}],"patch":{"operationId":"changeWebhookAddresses","requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/AddressChangeInput","x-check":79}}}},"responses":{"200":{"content":{"application/json":{"examples":{"part":{"$ref":"#/components/examples/address-change-state"},"committed":{"$ref":"#/components/examples/address-change-state.committed"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"409":{"$ref":"#/components/responses/OtherAddresses"},"413":{"$ref":"#/components/responses/ContentTooLarge"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"502":{"$ref":"#/components/responses/BadGateway"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/webhooks/{id}/secret":{"parameters":[{"$ref":"#/components/parameters/WebhookId"}],"get":{"operationId":"getWebhookSecret","responses":{"200":{"content":{"application/json":{"examples":{"secret":{"$ref":"#/components/examples/webhook-secret"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/webhooks/{id}/secret/rotate":{"parameters":[{"$ref":"#/components/parameters/WebhookId"}],"post":{"operationId":"rotateWebhookSecret","responses":{"200":{"content":{"application/json":{"examples":{"rotated":{"$ref":"#/components/examples/webhook-secret.rotated"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/shared-secret":{"get":{"operationId":"getSharedSecret","responses":{"200":{"content":{"application/json":{"examples":{"secret":{"$ref":"#/components/examples/shared-secret"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/shared-secret/rotate":{"post":{"operationId":"rotateSharedSecret","responses":{"201":{"content":{"application/json":{"examples":{"rotated":{"$ref":"#/components/examples/shared-secret.rotated"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/webhooks/{id}/test":{"parameters":[{"$ref":"#/components/parameters/WebhookId"}],"post":{"operationId":"testWebhook","responses":{"200":{"content":{"application/json":{"examples":{"delivered":{"$ref":"#/components/examples/test-result.delivered"},"refused":{"$ref":"#/components/examples/test-result.refused"},"unreachable":{"$ref":"#/components/examples/test-result.unreachable"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/webhooks/{id}/notifications":{"parameters":[{"$ref":"#/components/parameters/WebhookId"}],"get":{"operationId":"listNotifications","parameters":[{"name":"status","in":"query","schema":{"$ref":"#/components/schemas/NotificationStatus","x-check":84}},{"name":"afterSequence","in":"query","schema":{"type":"integer","format":"int64","minimum":0,"maximum":9007199254740991,"x-check":85},"example":41},{"$ref":"#/components/parameters/PageToken"},{"name":"pageSize","in":"query","schema":{"type":"integer","minimum":1,"maximum":200,"default":50,"x-check":86}}],"responses":{"200":{"content":{"application/json":{"examples":{"page":{"$ref":"#/components/examples/notification-page"},"failed":{"$ref":"#/components/examples/notification-page.failed"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/webhooks/{id}/notifications/{messageId}":{"parameters":[{"$ref":"#/components/parameters/WebhookId"},{"$ref":"#/components/parameters/MessageId"}],"get":{"operationId":"getNotification","responses":{"200":{"content":{"application/json":{"examples":{"delivered":{"$ref":"#/components/examples/notification-detail.delivered"},"failing":{"$ref":"#/components/examples/notification-detail.failing"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/webhooks/{id}/notifications/{messageId}/resend":{"parameters":[{"$ref":"#/components/parameters/WebhookId"},{"$ref":"#/components/parameters/MessageId"}],"post":{"operationId":"resendNotification","responses":{"202":{"content":{"application/json":{"examples":{"delivered":{"$ref":"#/components/examples/notification-record.delivered"},"failed":{"$ref":"#/components/examples/notification-record.failed"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/webhooks/{id}/feed":{"parameters":[{"$ref":"#/components/parameters/WebhookId"}],"get":{"operationId":"readFeed","parameters":[{"name":"after","in":"query","schema":{"type":"integer","format":"int64","minimum":0,"maximum":9007199254740991,"x-check":88},"example":41},{"name":"limit","in":"query","schema":{"type":"integer","minimum":1,"maximum":200,"default":50,"x-check":89}},{"name":"wait","in":"query","schema":{"type":"integer","minimum":0,"maximum":30,"default":0,"x-check":90},"example":0},{"name":"Last-Event-ID","in":"header","schema":{"type":"string","pattern":"^(0|[1-9][0-9]{0,14})$","x-check":91},"example":"41"}],"responses":{"200":{"content":{"application/json":{"examples":{"feed":{"$ref":"#/components/examples/feed"},"nothingNew":{"$ref":"#/components/examples/feed.nothing-new"}}},"text/event-stream":{"example":"id: 42\ndata: {\"webhookId\":\"f3b0c6a1-91d5-4a6e-b0a8-1c9a3f0d7e52\",\"eventType\":\"address_activity\",\"messageId\":\"8c21d892-a423-5806-9d56-5c804b13674a\",\"event\":{\"transaction\":{\"blockHash\":\"0xd24fd73f794058a3807db926d8898c6481e902b7edb91ce0d479d6760f276183\",\"blockNumber\":\"20000000\",\"from\":\"0x02abb0c71c407b2bce10c64609f27d89939b9c43\",\"to\":\"0xe015593439749a01f280f75d74d683bb453be883\",\"gas\":\"21000\",\"gasPrice\":\"4985457716\",\"maxFeePerGas\":\"6939113126\",\"maxPriorityFeePerGas\":\"48500000\",\"txHash\":\"0x6021f898933bc4ce1ccd6f9ab0af2c823e73cf902f6eb17ed78b4eec6beb8d8d\",\"txStatus\":\"1\",\"input\":\"0x\",\"nonce\":\"801\",\"transactionIndex\":121,\"value\":\"1000000000000000000\",\"type\":2,\"chainId\":\"1\",\"receiptCumulativeGasUsed\":\"9442547\",\"receiptGasUsed\":\"21000\",\"receiptEffectiveGasPrice\":\"4985457716\",\"receiptRoot\":\"0xb39f9f7a13a342751bd2c575eca303e224393d4e11d715866b114b7e824da608\",\"contractAddress\":\"0x0000000000000000000000000000000000000000\",\"blockTimestamp\":1717281407}}}\n"}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"410":{"$ref":"#/components/responses/Gone"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/webhooks/{id}/replays":{"parameters":[{"$ref":"#/components/parameters/WebhookId"}],"post":{"operationId":"createReplay","requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/ReplayCreate","x-check":92}}}},"responses":{"202":{"content":{"application/json":{"examples":{"queued":{"$ref":"#/components/examples/replay.queued"}}}},"headers":{"Location":{"required":true,"example":"/v1/webhooks/6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a/replays/0b8f6c1e-3c55-4f0e-9f57-3a1d9f4b7e21"}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/ReplayForbidden"},"404":{"$ref":"#/components/responses/NotFound"},"409":{"$ref":"#/components/responses/TooManyReplays"},"413":{"$ref":"#/components/responses/ContentTooLarge"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/webhooks/{id}/replays/{replayId}":{"parameters":[{"$ref":"#/components/parameters/WebhookId"},{"name":"replayId","in":"path","required":true,"schema":{"$ref":"#/components/schemas/UuidInput","x-check":96},"example":"0b8f6c1e-3c55-4f0e-9f57-3a1d9f4b7e21"}],"get":{"operationId":"getReplay","responses":{"200":{"content":{"application/json":{"examples":{"running":{"$ref":"#/components/examples/replay.running"},"done":{"$ref":"#/components/examples/replay.done"},"failed":{"$ref":"#/components/examples/replay.failed"},"cancelled":{"$ref":"#/components/examples/replay.cancelled"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}},"delete":{"operationId":"cancelReplay","responses":{"200":{"content":{"application/json":{"examples":{"cancelled":{"$ref":"#/components/examples/replay.cancelled"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/webhooks/{id}/explain":{"parameters":[{"$ref":"#/components/parameters/WebhookId"}],"get":{"operationId":"explainWebhook","parameters":[{"name":"txHash","in":"query","required":true,"schema":{"$ref":"#/components/schemas/TxHashInput","x-check":97},"example":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0"}],"responses":{"200":{"content":{"application/json":{"examples":{"notified":{"$ref":"#/components/examples/explanation.notified"},"retracted":{"$ref":"#/components/examples/explanation.retracted"},"notWatched":{"$ref":"#/components/examples/explanation.not-watched"},"otherEvent":{"$ref":"#/components/examples/explanation.other-event"},"conditionFailed":{"$ref":"#/components/examples/explanation.condition-failed"},"notYetEffective":{"$ref":"#/components/examples/explanation.not-yet-effective"},"inactive":{"$ref":"#/components/examples/explanation.inactive"},"pending":{"$ref":"#/components/examples/explanation.pending"},"notFollowedYet":{"$ref":"#/components/examples/explanation.not-followed-yet"},"waitingForFinality":{"$ref":"#/components/examples/explanation.waiting-for-finality"},"notKept":{"$ref":"#/components/examples/explanation.not-kept"},"unexplained":{"$ref":"#/components/examples/explanation.unexplained"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"502":{"$ref":"#/components/responses/BadGateway"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/operational-webhook":{"put":{"operationId":"putOperationalWebhook","requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/OperationalWebhookInput","x-check":98}}}},"responses":{"200":{"content":{"application/json":{"examples":{"registered":{"$ref":"#/components/examples/operational-webhook"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"413":{"$ref":"#/components/responses/ContentTooLarge"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}},"get":{"operationId":"getOperationalWebhook","responses":{"200":{"content":{"application/json":{"examples":{"registered":{"$ref":"#/components/examples/operational-webhook"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}},"delete":{"operationId":"deleteOperationalWebhook","responses":{"200":{"content":{"application/json":{"examples":{"deleted":{"$ref":"#/components/examples/operational-webhook.deleted"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/operational-webhook/secret":{"get":{"operationId":"getOperationalSecret","responses":{"200":{"content":{"application/json":{"examples":{"secret":{"$ref":"#/components/examples/webhook-secret"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/operational-webhook/secret/rotate":{"post":{"operationId":"rotateOperationalSecret","responses":{"200":{"content":{"application/json":{"examples":{"rotated":{"$ref":"#/components/examples/webhook-secret.rotated"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/operational-webhook/test":{"post":{"operationId":"testOperationalWebhook","responses":{"200":{"content":{"application/json":{"examples":{"delivered":{"$ref":"#/components/examples/test-result.delivered"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/operational-webhook/feed":{"get":{"operationId":"readOperationalFeed","parameters":[{"name":"after","in":"query","schema":{"type":"integer","format":"int64","minimum":0,"maximum":9007199254740991,"x-check":102},"example":41},{"name":"limit","in":"query","schema":{"type":"integer","minimum":1,"maximum":200,"default":50,"x-check":103}},{"name":"wait","in":"query","schema":{"type":"integer","minimum":0,"maximum":30,"default":0,"x-check":104},"example":0},{"name":"Last-Event-ID","in":"header","schema":{"type":"string","pattern":"^(0|[1-9][0-9]{0,14})$","x-check":105},"example":"41"}],"responses":{"200":{"content":{"application/json":{"examples":{"feed":{"$ref":"#/components/examples/operational-feed"}}},"text/event-stream":{"example":"id: 1\ndata: {\"messageId\":\"5f9b9a52-0d0c-4d7e-9a3f-1c2b3d4e5f60\",\"type\":\"chain.resumed\",\"createdAt\":1767225900000,\"subject\":\"chain:1\",\"message\":\"Chain 1 is followed again.\",\"data\":{\"chainId\":\"1\"}}\n"}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"410":{"$ref":"#/components/responses/Gone"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}},"/v1/chains":{"get":{"operationId":"listChains","responses":{"200":{"content":{"application/json":{"examples":{"chains":{"$ref":"#/components/examples/chain-list"}}}}},"400":{"$ref":"#/components/responses/BadRequest"},"429":{"$ref":"#/components/responses/TooManyRequests"},"500":{"$ref":"#/components/responses/InternalServerError"},"503":{"$ref":"#/components/responses/ServiceUnavailable"}}}}},"webhooks":{"addressActivity":{"post":{"requestBody":{"content":{"application/json":{"examples":{"nonFungibleTransfer":{"$ref":"#/components/examples/notification.non-fungible-transfer"},"multiTokenTransfer":{"$ref":"#/components/examples/notification.multi-token-transfer"},"fungibleTransfer":{"$ref":"#/components/examples/notification.fungible-transfer"},"nativeTransfer":{"$ref":"#/components/examples/notification.native-transfer"},"contractCreation":{"$ref":"#/components/examples/notification.contract-creation"},"failedTransaction":{"$ref":"#/components/examples/notification.failed-transaction"},"internalTransactions":{"$ref":"#/components/examples/notification.internal-transactions"},"decodedLogs":{"$ref":"#/components/examples/notification.decoded-logs"},"tokenTransfers":{"$ref":"#/components/examples/notification.token-transfers"},"finalized":{"$ref":"#/components/examples/notification.finalized"},"retraction":{"$ref":"#/components/examples/notification.retraction"}}}}}}}},"components":{"securitySchemes":{"apiKey":{"type":"apiKey","in":"header","name":"x-service-api-key"}},"parameters":{"IdempotencyKey":{"name":"Idempotency-Key","in":"header","schema":{"type":"string","minLength":1,"maxLength":255,"pattern":"^[!-~]+$","x-check":0},"example":"2f1c7a52-4a0f-49f4-9a0d-5a3f5f0c7b11"},"PageToken":{"name":"pageToken","in":"query","schema":{"type":"string","maxLength":512,"x-check":41}},"WebhookId":{"name":"id","in":"path","required":true,"schema":{"$ref":"#/components/schemas/UuidInput","x-check":61},"example":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a"},"MessageId":{"name":"messageId","in":"path","required":true,"schema":{"$ref":"#/components/schemas/UuidInput","x-check":87},"example":"0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10"}},"schemas":{"WebhookCreate":{"type":"object","required":["chainId","eventType","metadata"],"additionalProperties":false,"properties":{"url":{"$ref":"#/components/schemas/WebhookUrl","x-check":2},"chainId":{"$ref":"#/components/schemas/ChainId","x-check":3},"eventType":{"$ref":"#/components/schemas/EventType","x-check":4},"metadata":{"$ref":"#/components/schemas/WebhookMetadataInput","x-check":5},"name":{"$ref":"#/components/schemas/WebhookName","x-check":28},"description":{"$ref":"#/components/schemas/WebhookDescription","x-check":29},"includeInternalTxs":{"$ref":"#/components/schemas/IncludeInternalTxs","x-check":30},"includeLogs":{"$ref":"#/components/schemas/IncludeLogs","x-check":31},"finality":{"$ref":"#/components/schemas/FinalityInput","x-check":32},"compatibility":{"$ref":"#/components/schemas/CompatibilityInput","x-check":34},"fromBlock":{"$ref":"#/components/schemas/FromBlock","x-check":35},"historyMode":{"$ref":"#/components/schemas/HistoryModeInput","x-check":36},"delivery":{"$ref":"#/components/schemas/DeliveryInput","x-check":37},"maxPerSecond":{"$ref":"#/components/schemas/MaxPerSecondInput","x-check":38},"headers":{"$ref":"#/components/schemas/HeadersInput","x-check":39}}},"WebhookUrl":{"type":"string","format":"uri","pattern":"^[hH][tT][tT][pP][sS]?://[^\\s/?#@]+([/?#]\\S*)?$","maxLength":2048,"example":"https://example.com/hooks/transfers"},"ChainId":{"type":"string","pattern":"^[1-9][0-9]{0,18}$","example":"43114"},"EventType":{"type":"string","enum":["address_activity"],"example":"address_activity"},"WebhookMetadataInput":{"type":"object","additionalProperties":false,"properties":{"addresses":{"type":"array","minItems":1,"maxItems":10000,"items":{"$ref":"#/components/schemas/AddressInput"},"x-check":6},"eventSignatures":{"type":"array","maxItems":100,"items":{"$ref":"#/components/schemas/EventSignatureInput"},"x-check":7},"includeInternalTxs":{"$ref":"#/components/schemas/IncludeInternalTxs","x-check":8},"includeLogs":{"$ref":"#/components/schemas/IncludeLogs","x-check":9},"includeTransfers":{"$ref":"#/components/schemas/IncludeTransfers","x-check":10},"abi":{"type":"array","minItems":1,"maxItems":100,"items":{"$ref":"#/components/schemas/AbiEventInput"},"x-check":11},"conditions":{"$ref":"#/components/schemas/ConditionInput","x-check":12},"anyAddress":{"$ref":"#/components/schemas/AnyAddress","x-check":19},"createdBy":{"$ref":"#/components/schemas/CreatedByInput","x-check":20},"batch":{"$ref":"#/components/schemas/BatchInput","x-check":24},"ordered":{"$ref":"#/components/schemas/Ordered","x-check":27}}},"AddressInput":{"type":"string","pattern":"^0x[0-9a-fA-F]{40}$","example":"0x5425890298aed601595a70AB815c96711a31Bc65"},"EventSignatureInput":{"type":"string","pattern":"^0x[0-9a-fA-F]{64}$","example":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"},"IncludeInternalTxs":{"type":"boolean","example":false},"IncludeLogs":{"type":"boolean","example":true},"IncludeTransfers":{"type":"boolean","example":true},"AbiEventInput":{"type":"object","required":["type","name","inputs"],"additionalProperties":false,"properties":{"type":{"type":"string","enum":["event"]},"name":{"type":"string","maxLength":200,"pattern":"^[a-zA-Z_$][a-zA-Z0-9_$]*$","example":"Transfer"},"inputs":{"type":"array","maxItems":20,"items":{"$ref":"#/components/schemas/AbiParameterInput"}},"anonymous":{"type":"boolean"}}},"AbiParameterInput":{"type":"object","required":["type"],"additionalProperties":false,"properties":{"name":{"type":"string","maxLength":200,"pattern":"^([a-zA-Z_$][a-zA-Z0-9_$]*)?$","example":"from"},"type":{"type":"string","maxLength":100,"pattern":"^[a-z0-9]+(\\[[0-9]*\\])*$","example":"address"},"internalType":{"type":"string","maxLength":200,"pattern":"^[^\\u0000]*$"},"indexed":{"type":"boolean"},"components":{"type":"array","maxItems":20,"items":{"$ref":"#/components/schemas/AbiParameterInput"}}}},"ConditionInput":{"type":"object","additionalProperties":false,"properties":{"all":{"type":"array","minItems":1,"maxItems":50,"items":{"$ref":"#/components/schemas/ConditionInput"},"x-check":13},"any":{"type":"array","minItems":1,"maxItems":50,"items":{"$ref":"#/components/schemas/ConditionInput"},"x-check":14},"not":{"$ref":"#/components/schemas/ConditionInput","x-check":15},"field":{"type":"string","maxLength":250,"pattern":"^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$","example":"transfer.value","x-check":16},"op":{"type":"string","enum":["eq","ne","gt","gte","lt","lte","in"],"example":"gte","x-check":17},"value":{"description":"What it is compared with; a list with `in`. Numbers in decimal digits or as 0x and hex digits, compared as integers of 256 bits;\naddresses and bytes as 0x and hex digits in any case; `true` or `false`. An indexed text, array or tuple is compared by its hash.\n","type":["string","array"],"maxLength":200,"pattern":"^[^\\u0000]*$","minItems":1,"maxItems":100,"items":{"type":"string","maxLength":200,"pattern":"^[^\\u0000]*$"},"example":"1000000","x-check":18}}},"AnyAddress":{"type":"boolean","example":false},"CreatedByInput":{"type":"object","required":["address","eventSignature","argument"],"additionalProperties":false,"properties":{"address":{"$ref":"#/components/schemas/AddressInput","x-check":21},"eventSignature":{"$ref":"#/components/schemas/EventSignatureInput","x-check":22},"argument":{"$ref":"#/components/schemas/CreatedByArgument","x-check":23}}},"CreatedByArgument":{"type":"string","pattern":"^(topic[1-3]|data([0-9]|[1-9][0-9]))$","example":"data0"},"BatchInput":{"type":"object","required":["maxItems"],"additionalProperties":false,"properties":{"maxItems":{"$ref":"#/components/schemas/BatchMaxItems","x-check":25},"maxWaitMs":{"$ref":"#/components/schemas/BatchMaxWaitMs","x-check":26}}},"BatchMaxItems":{"type":"integer","minimum":1,"maximum":100,"example":50},"BatchMaxWaitMs":{"type":"integer","minimum":0,"maximum":60000,"example":1000},"Ordered":{"type":"boolean","example":false},"WebhookName":{"type":"string","maxLength":200,"pattern":"^[^\\u0000]*$","example":"NFT transfers"},"WebhookDescription":{"type":"string","maxLength":2000,"pattern":"^[^\\u0000]*$","example":"Transfers of our collection"},"FinalityInput":{"type":["string","object"],"pattern":"^(instant|finalized|both)$","required":["confirmations"],"additionalProperties":false,"properties":{"confirmations":{"$ref":"#/components/schemas/Confirmations","x-check":33}},"example":"finalized"},"Confirmations":{"type":"integer","minimum":1,"maximum":10000,"example":12},"CompatibilityInput":{"type":"string","pattern":"^glacier$","example":"glacier"},"FromBlock":{"type":"string","pattern":"^(0|[1-9][0-9]{0,18})$","example":"11970506"},"HistoryModeInput":{"type":"string","pattern":"^(complete|headers|logs)$","example":"headers"},"DeliveryInput":{"type":"string","pattern":"^(url|feed)$","example":"feed"},"MaxPerSecondInput":{"type":"integer","minimum":0,"maximum":1000,"example":20},"HeadersInput":{"type":["object","null"],"maxProperties":10,"propertyNames":{"pattern":"^[!#-'*+.0-9A-Z^-z|~-]{1,64}$"},"additionalProperties":{"type":"string","maxLength":1024,"pattern":"^[!-~]([ -~]*[!-~])?$"},"example":{"Authorization":"Bearer 5f0c1f9a2b7d4e83","X-Route":"deposits"}},"WebhookStatus":{"type":"string","enum":["active","inactive"],"example":"active"},"PreviewInput":{"type":"object","required":["chainId","metadata"],"additionalProperties":false,"properties":{"url":{"$ref":"#/components/schemas/WebhookUrl","x-check":44},"chainId":{"$ref":"#/components/schemas/ChainId","x-check":45},"eventType":{"$ref":"#/components/schemas/EventType","x-check":46},"metadata":{"$ref":"#/components/schemas/WebhookMetadataInput","x-check":47},"name":{"$ref":"#/components/schemas/WebhookName","x-check":48},"description":{"$ref":"#/components/schemas/WebhookDescription","x-check":49},"includeInternalTxs":{"$ref":"#/components/schemas/IncludeInternalTxs","x-check":50},"includeLogs":{"$ref":"#/components/schemas/IncludeLogs","x-check":51},"finality":{"$ref":"#/components/schemas/FinalityInput","x-check":52},"compatibility":{"$ref":"#/components/schemas/CompatibilityInput","x-check":53},"fromBlock":{"$ref":"#/components/schemas/FromBlock","x-check":54},"historyMode":{"$ref":"#/components/schemas/HistoryModeInput","x-check":55},"delivery":{"$ref":"#/components/schemas/DeliveryInput","x-check":56},"maxPerSecond":{"$ref":"#/components/schemas/MaxPerSecondInput","x-check":57},"headers":{"$ref":"#/components/schemas/HeadersInput","x-check":58},"txHash":{"$ref":"#/components/schemas/TxHashInput","x-check":59},"blockNumber":{"$ref":"#/components/schemas/BlockNumberInput","x-check":60}}},"TxHashInput":{"type":"string","pattern":"^0x[0-9a-fA-F]{64}$","example":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0"},"BlockNumberInput":{"type":"string","pattern":"^(0|[1-9][0-9]{0,18})$","example":"62318001"},"UuidInput":{"type":"string","pattern":"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$","example":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a"},"WebhookUpdate":{"type":"object","additionalProperties":false,"properties":{"name":{"$ref":"#/components/schemas/WebhookName","x-check":63},"description":{"$ref":"#/components/schemas/WebhookDescription","x-check":64},"url":{"$ref":"#/components/schemas/WebhookUrl","x-check":65},"status":{"$ref":"#/components/schemas/WebhookStatus","x-check":66},"includeInternalTxs":{"$ref":"#/components/schemas/IncludeInternalTxs","x-check":67},"includeLogs":{"$ref":"#/components/schemas/IncludeLogs","x-check":68},"maxPerSecond":{"$ref":"#/components/schemas/MaxPerSecondInput","x-check":69},"headers":{"$ref":"#/components/schemas/HeadersInput","x-check":70}}},"AddressAdditionInput":{"type":"object","required":["addresses"],"additionalProperties":false,"properties":{"addresses":{"type":"array","minItems":1,"maxItems":10000,"items":{"$ref":"#/components/schemas/AddressInput"},"x-check":73},"fromBlock":{"$ref":"#/components/schemas/BlockNumberInput","x-check":74}}},"AddressListInput":{"type":"object","required":["addresses"],"additionalProperties":false,"properties":{"addresses":{"type":"array","minItems":1,"maxItems":10000,"items":{"$ref":"#/components/schemas/AddressInput"},"x-check":76}}},"AddressChangeInput":{"type":"object","additionalProperties":false,"properties":{"add":{"type":"array","maxItems":10000,"items":{"$ref":"#/components/schemas/AddressInput"},"x-check":80},"remove":{"type":"array","maxItems":10000,"items":{"$ref":"#/components/schemas/AddressInput"},"x-check":81},"commit":{"type":"boolean","example":true,"x-check":82},"addressDigest":{"$ref":"#/components/schemas/AddressDigestInput","x-check":83}}},"AddressDigestInput":{"type":"string","pattern":"^0x[0-9a-fA-F]{64}$","example":"0xdb0e6a8a7a3be288dbba1855ff424f3891df36a57970b1cca21cbe182151812d"},"NotificationStatus":{"type":"string","enum":["pending","delivered","failed"],"example":"delivered"},"ReplayCreate":{"type":"object","required":["fromBlock","toBlock"],"additionalProperties":false,"properties":{"fromBlock":{"$ref":"#/components/schemas/BlockNumberInput","x-check":93},"toBlock":{"$ref":"#/components/schemas/BlockNumberInput","x-check":94},"includeEarlier":{"type":"boolean","example":true,"x-check":95}}},"OperationalWebhookInput":{"type":"object","additionalProperties":false,"properties":{"url":{"$ref":"#/components/schemas/WebhookUrl","x-check":99},"format":{"$ref":"#/components/schemas/OperationalFormat","x-check":100},"headers":{"$ref":"#/components/schemas/HeadersInput","x-check":101}}},"OperationalFormat":{"type":"string","enum":["signed","slack","discord","pagerduty","teams"],"example":"signed"}},"examples":{"webhook.history":{"value":{"id":"0b6d2c0e-5f43-4b43-9f0e-5b7f0b8f2a11","url":"https://example.com/hooks/history","chainId":"43114","status":"active","statusReason":"created","statusSince":1767225600000,"createdAt":1767225600000,"name":"","description":"","eventType":"address_activity","metadata":{"eventSignatures":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"],"addresses":["0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e"]},"addressCount":1,"addressDigest":"0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6ecbb768d1274c15847f4899ed","includeInternalTxs":false,"includeLogs":true,"effectiveFromBlock":"11970506","history":{"nextBlock":"11970506","untilBlock":"62318000","mode":"complete"}}},"webhook.non-fungible-transfer":{"value":{"id":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","url":"https://example.com/hooks/transfers","chainId":"43114","status":"active","statusReason":"created","statusSince":1767225600000,"createdAt":1767225600000,"name":"NFT transfers","description":"Transfers of our collection","eventType":"address_activity","metadata":{"eventSignatures":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"],"addresses":["0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85"]},"addressCount":1,"addressDigest":"0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea855a0c016abafd3fee13e8a9ee","includeInternalTxs":false,"includeLogs":true,"effectiveFromBlock":"62318001"}},"webhook.multi-token-transfer":{"value":{"id":"c4a8d2e6-7b31-4f59-a0c7-3d5e9b1f8a24","url":"https://example.com/hooks/items","chainId":"43114","status":"active","statusReason":"created","statusSince":1767225600000,"createdAt":1767225600000,"name":"Game items","description":"","eventType":"address_activity","metadata":{"eventSignatures":["0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62"],"addresses":["0x550b0ac1e89b10ec6969b777fdca4791ed131079"]},"addressCount":1,"addressDigest":"0x550b0ac1e89b10ec6969b777fdca4791ed13107957a5cee0db7cfa46f51c0e12","includeInternalTxs":false,"includeLogs":true,"effectiveFromBlock":"62318001"}},"webhook.wallet":{"value":{"id":"f3b0c6a1-91d5-4a6e-b0a8-1c9a3f0d7e52","url":"https://example.com/hooks/wallets","chainId":"43114","status":"active","statusReason":"created","statusSince":1767225600000,"createdAt":1767225600000,"name":"","description":"","eventType":"address_activity","metadata":{"eventSignatures":[],"addresses":["0x5425890298aed601595a70ab815c96711a31bc65","0xd8da6bf26964af9d7eed9e03e53415d37aa96045"]},"addressCount":2,"addressDigest":"0x8cffe2f0f1ca799c27b7eea8646883a26098dc20237cb0a618e181f632b928c3","includeInternalTxs":false,"includeLogs":false,"effectiveFromBlock":"62318001"}},"webhook.internal-transactions":{"value":{"id":"0b6e9f27-5c3d-4e8a-9d11-7a2c4b8e6f90","url":"https://example.com/hooks/internal","chainId":"43113","status":"active","statusReason":"created","statusSince":1767225600000,"createdAt":1767225600000,"name":"Treasury","description":"","eventType":"address_activity","metadata":{"eventSignatures":[],"addresses":["0xd8da6bf26964af9d7eed9e03e53415d37aa96045"]},"addressCount":1,"addressDigest":"0xd8da6bf26964af9d7eed9e03e53415d37aa960453064ae9aaf47d4b145ae88fd","includeInternalTxs":true,"includeLogs":true,"effectiveFromBlock":"48120777"}},"webhook.decoded-logs":{"value":{"id":"9a4e1c70-52d8-4b6f-8e13-0c7f2a95d6b1","url":"https://example.com/hooks/decoded","chainId":"43114","status":"active","statusReason":"created","statusSince":1767225600000,"createdAt":1767225600000,"name":"Decoded transfers","description":"","eventType":"address_activity","metadata":{"eventSignatures":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"],"addresses":["0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85"],"abi":[{"type":"event","name":"Transfer","inputs":[{"name":"from","type":"address","indexed":true},{"name":"to","type":"address","indexed":true},{"name":"tokenId","type":"uint256","indexed":true}]},{"type":"event","name":"Transfer","inputs":[{"name":"from","type":"address","indexed":true},{"name":"to","type":"address","indexed":true},{"name":"value","type":"uint256","indexed":false}]}]},"addressCount":1,"addressDigest":"0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea855a0c016abafd3fee13e8a9ee","includeInternalTxs":false,"includeLogs":true,"effectiveFromBlock":"62318001"}},"webhook.batches":{"value":{"id":"2b8e6f0c-6d0a-4f57-9c2e-7f1d3a5b9c44","url":"https://example.com/hooks/ledger","chainId":"1","status":"active","statusReason":"created","statusSince":1767225600000,"createdAt":1767225600000,"name":"","description":"","eventType":"address_activity","metadata":{"eventSignatures":[],"addresses":["0x126c79ddd204606fb44a05a8406deb44729379b8","0xe015593439749a01f280f75d74d683bb453be883"],"batch":{"maxItems":50,"maxWaitMs":1000},"ordered":true},"addressCount":2,"addressDigest":"0xf27920e9eb70fa6e46caf2f534bb68ff37a8913bedb6545fa354ef9e313c3ad6","includeInternalTxs":false,"includeLogs":false,"effectiveFromBlock":"20000000"}},"webhook.finality":{"value":{"id":"c58d2b7e-3f16-4a09-b7d4-92e6a1f0c835","url":"https://example.com/hooks/deposits","chainId":"1","status":"active","statusReason":"created","statusSince":1767225600000,"createdAt":1767225600000,"name":"","description":"","eventType":"address_activity","metadata":{"eventSignatures":[],"addresses":["0x126c79ddd204606fb44a05a8406deb44729379b8"]},"addressCount":1,"addressDigest":"0x126c79ddd204606fb44a05a8406deb44729379b8e2c51ff1602babfcd30c8121","includeInternalTxs":false,"includeLogs":false,"effectiveFromBlock":"20000000","finality":"both","heldCount":0}},"webhook.token-transfers":{"value":{"id":"0b8a3a1e-7c53-4f0e-9d0f-2f6c1f5f9a44","url":"https://example.com/hooks/transfers","chainId":"1","status":"active","statusReason":"created","statusSince":1767225600000,"createdAt":1767225600000,"name":"","description":"","eventType":"address_activity","metadata":{"eventSignatures":[],"addresses":["0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc"],"includeTransfers":true},"addressCount":1,"addressDigest":"0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc4831092791e09dbed3a8d828","includeInternalTxs":false,"includeLogs":true,"effectiveFromBlock":"12244000"}},"webhook.glacier":{"value":{"id":"3f0d6a52-91c4-4a8e-b5a7-6c0e2d9b1f48","url":"https://example.com/hooks/glacier","chainId":"1","status":"active","statusReason":"created","statusSince":1767225600000,"createdAt":1767225600000,"name":"","description":"","eventType":"address_activity","metadata":{"eventSignatures":[],"addresses":["0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc"],"includeTransfers":true},"addressCount":1,"addressDigest":"0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc4831092791e09dbed3a8d828","includeInternalTxs":false,"includeLogs":true,"effectiveFromBlock":"12244000","compatibility":"glacier"}},"webhook.feed":{"value":{"id":"a4e7c9d2-5b18-4f63-8e0a-7d2c6f91b354","chainId":"1","status":"active","statusReason":"created","statusSince":1767225600000,"createdAt":1767225600000,"name":"","description":"","eventType":"address_activity","metadata":{"eventSignatures":[],"addresses":["0x28c6c06298d514db089934071355e5743bf21d60"]},"addressCount":1,"addressDigest":"0x28c6c06298d514db089934071355e5743bf21d6043c5bec5b8707b791bd0ed71","includeInternalTxs":false,"includeLogs":false,"effectiveFromBlock":"20000000","delivery":"feed"}},"error.400":{"value":{"message":"metadata.addresses must have at least 1 item.","statusCode":400,"error":"Bad Request"}},"error.401":{"value":{"message":"The header x-service-api-key must hold a valid API key.","statusCode":401,"error":"Unauthorized"}},"error.403":{"value":{"message":"The API key must have the scope write.","statusCode":403,"error":"Forbidden"}},"error.409":{"value":{"message":"The Idempotency-Key was used with another body within the last 24 hours.","statusCode":409,"error":"Conflict"}},"error.409.deleted":{"value":{"message":"The webhook created with this Idempotency-Key was deleted; use another key to create one.","statusCode":409,"error":"Conflict"}},"error.409.histories":{"value":{"message":"fromBlock must wait: histories of this account are at 16 blocks of chain 43114; try again when one of them has ended.","statusCode":409,"error":"Conflict"}},"error.413":{"value":{"message":"The body must be at most 1 MiB.","statusCode":413,"error":"Content Too Large"}},"error.415":{"value":{"message":"The header content-type must be application/json.","statusCode":415,"error":"Unsupported Media Type"}},"error.429":{"value":{"message":"Too many requests; try again in 5 seconds.","statusCode":429,"error":"Too Many Requests"}},"error.500":{"value":{"message":"The service failed; nothing was changed.","statusCode":500,"error":"Internal Server Error"}},"error.502":{"value":{"message":"No node of chain 43114 has answered yet; try again later.","statusCode":502,"error":"Bad Gateway"}},"error.503":{"value":{"message":"The database cannot be reached; try again in 5 seconds.","statusCode":503,"error":"Service Unavailable"}},"webhook-page":{"value":{"webhooks":[{"id":"f3b0c6a1-91d5-4a6e-b0a8-1c9a3f0d7e52","url":"https://example.com/hooks/wallets","chainId":"43114","status":"active","statusReason":"created","statusSince":1767225600000,"createdAt":1767225600000,"name":"","description":"","eventType":"address_activity","metadata":{"eventSignatures":[],"addresses":["0x5425890298aed601595a70ab815c96711a31bc65","0xd8da6bf26964af9d7eed9e03e53415d37aa96045"]},"addressCount":2,"addressDigest":"0x8cffe2f0f1ca799c27b7eea8646883a26098dc20237cb0a618e181f632b928c3","includeInternalTxs":false,"includeLogs":false,"effectiveFromBlock":"62318001"},{"id":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","url":"https://example.com/hooks/transfers","chainId":"43114","status":"active","statusReason":"created","statusSince":1767225600000,"createdAt":1767225600000,"name":"NFT transfers","description":"Transfers of our collection","eventType":"address_activity","metadata":{"eventSignatures":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"],"addresses":["0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85"]},"addressCount":1,"addressDigest":"0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea855a0c016abafd3fee13e8a9ee","includeInternalTxs":false,"includeLogs":true,"effectiveFromBlock":"62318001"}],"nextPageToken":"MTc2NzIyNTYwMDAwMC42ZDFiYmU0MC0yYTRiLTRjMGUtOGYwYS01ZTdmNWIxZDJjM2E"}},"preview.matches":{"value":{"chainId":"1","blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","transactionCount":1,"matchCount":1,"transactions":[{"txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","transactionIndex":33,"matches":true,"reason":"matches","message":"It matches: 0xbd3531da5cf5857e7cfaa92426877b022e612cf8 is the emitter of log 2.","parts":[{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":2,"topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","matches":true},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":1,"topic0":"0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925","matches":false}],"partCount":2,"payload":{"webhookId":"00000000-0000-0000-0000-000000000000","eventType":"address_activity","messageId":"00000000-0000-0000-0000-000000000000","event":{"transaction":{"blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","blockNumber":"18951424","from":"0xed6af25e6158a2a6106f72126a4db188f55ab723","to":"0x29469395eaf6f95920e59f858042f0e28d98a20b","gas":"160692","gasPrice":"23616620062","maxFeePerGas":"30006978184","maxPriorityFeePerGas":"100000000","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","txStatus":"1","input":"0xc87df1c20000000000000000000000008bc110db7029197c3621bea8092ab1996d5dd7be000000000000000000000000ed6af25e6158a2a6106f72126a4db188f55ab723000000000000000000000000bd3531da5cf5857e7cfaa92426877b022e612cf80000000000000000000000000000000000000000000000000000000000001bb800000000000000000000000000000000000000000000000060ba6a1244790000000000000000000000000000000000000000000000000000000000006598dc9f000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002328000000000000000000000000000000000000000000000000000000000002b43e","nonce":"3424","transactionIndex":33,"value":"0","type":2,"chainId":"1","receiptCumulativeGasUsed":"4171854","receiptGasUsed":"139450","receiptEffectiveGasPrice":"23616620062","receiptRoot":"0xca2fca49d1140470164e8bc040edad8af45a3af05796fce0bb197f2856e051e7","contractAddress":"0x0000000000000000000000000000000000000000","blockTimestamp":1704584219}}}}]}},"preview.block":{"value":{"chainId":"1","blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","transactionCount":120,"matchCount":1,"transactions":[{"txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","transactionIndex":33,"matches":true,"reason":"matches","message":"It matches: 0xed6af25e6158a2a6106f72126a4db188f55ab723 is its sender.","parts":[{"address":"0xed6af25e6158a2a6106f72126a4db188f55ab723","role":"from","matches":true},{"address":"0xed6af25e6158a2a6106f72126a4db188f55ab723","role":"topic2","logIndex":2,"topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","matches":true},{"address":"0xed6af25e6158a2a6106f72126a4db188f55ab723","role":"topic1","logIndex":3,"topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","matches":true}],"partCount":3,"payload":{"webhookId":"00000000-0000-0000-0000-000000000000","eventType":"address_activity","messageId":"00000000-0000-0000-0000-000000000000","event":{"transaction":{"blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","blockNumber":"18951424","from":"0xed6af25e6158a2a6106f72126a4db188f55ab723","to":"0x29469395eaf6f95920e59f858042f0e28d98a20b","gas":"160692","gasPrice":"23616620062","maxFeePerGas":"30006978184","maxPriorityFeePerGas":"100000000","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","txStatus":"1","input":"0xc87df1c20000000000000000000000008bc110db7029197c3621bea8092ab1996d5dd7be000000000000000000000000ed6af25e6158a2a6106f72126a4db188f55ab723000000000000000000000000bd3531da5cf5857e7cfaa92426877b022e612cf80000000000000000000000000000000000000000000000000000000000001bb800000000000000000000000000000000000000000000000060ba6a1244790000000000000000000000000000000000000000000000000000000000006598dc9f000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002328000000000000000000000000000000000000000000000000000000000002b43e","nonce":"3424","transactionIndex":33,"value":"0","type":2,"chainId":"1","receiptCumulativeGasUsed":"4171854","receiptGasUsed":"139450","receiptEffectiveGasPrice":"23616620062","receiptRoot":"0xca2fca49d1140470164e8bc040edad8af45a3af05796fce0bb197f2856e051e7","contractAddress":"0x0000000000000000000000000000000000000000","blockTimestamp":1704584219}}}}]}},"preview.other-event":{"value":{"chainId":"1","blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","transactionCount":1,"matchCount":0,"transactions":[{"txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","transactionIndex":33,"matches":false,"reason":"other_event","message":"It does not match: 0xbd3531da5cf5857e7cfaa92426877b022e612cf8 is the emitter of log 1, and 1 more part, but in no log with one of the event signatures.","parts":[{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":1,"topic0":"0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925","matches":false},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":2,"topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","matches":false}],"partCount":2}]}},"preview.condition-failed":{"value":{"chainId":"1","blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","transactionCount":1,"matchCount":0,"transactions":[{"txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","transactionIndex":33,"matches":false,"reason":"condition_failed","message":"It does not match: the condition all.1 does not hold, for log 2.","parts":[{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":1,"topic0":"0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925","matches":false},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":2,"topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","matches":false}],"partCount":2,"decidedBy":[{"path":"all.1","field":"transfer.tokenId","op":"lt","value":"1000","actual":"7096","holds":false}],"decidedOn":{"logIndex":2,"standard":"erc721","contract":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","from":"0x29469395eaf6f95920e59f858042f0e28d98a20b","to":"0xed6af25e6158a2a6106f72126a4db188f55ab723","value":"1","tokenId":"7096"}}]}},"preview.not-watched":{"value":{"chainId":"1","blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","transactionCount":1,"matchCount":0,"transactions":[{"txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","transactionIndex":33,"matches":false,"reason":"not_watched","message":"It does not match: no watched address takes part in it.","parts":[],"partCount":0}]}},"webhook.inactive":{"value":{"id":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","url":"https://example.com/hooks/transfers","chainId":"43114","status":"inactive","statusReason":"endpoint_gone","statusSince":1767312000000,"createdAt":1767225600000,"name":"NFT transfers","description":"Transfers of our collection","eventType":"address_activity","metadata":{"eventSignatures":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"],"addresses":["0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85"]},"addressCount":1,"addressDigest":"0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea855a0c016abafd3fee13e8a9ee","includeInternalTxs":false,"includeLogs":true,"effectiveFromBlock":"62318001"}},"error.404":{"value":{"message":"There is no webhook 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a.","statusCode":404,"error":"Not Found"}},"webhook.deleted":{"value":{"id":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","url":"https://example.com/hooks/transfers","chainId":"43114","status":"inactive","statusReason":"requested","statusSince":1767312000000,"createdAt":1767225600000,"name":"NFT transfers","description":"Transfers of our collection","eventType":"address_activity","metadata":{"eventSignatures":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"],"addresses":["0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85"]},"addressCount":1,"addressDigest":"0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea855a0c016abafd3fee13e8a9ee","includeInternalTxs":false,"includeLogs":true,"effectiveFromBlock":"62318001"}},"address-page":{"value":{"addresses":["0x5425890298aed601595a70ab815c96711a31bc65","0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85","0xd8da6bf26964af9d7eed9e03e53415d37aa96045"],"totalAddresses":3}},"address-change":{"value":{"id":"f3b0c6a1-91d5-4a6e-b0a8-1c9a3f0d7e52","url":"https://example.com/hooks/wallets","chainId":"43114","status":"active","statusReason":"created","statusSince":1767225600000,"createdAt":1767225600000,"name":"","description":"","eventType":"address_activity","metadata":{"eventSignatures":[],"addresses":["0x5425890298aed601595a70ab815c96711a31bc65","0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85","0xd8da6bf26964af9d7eed9e03e53415d37aa96045"]},"addressCount":3,"addressDigest":"0xdb0e6a8a7a3be288dbba1855ff424f3891df36a57970b1cca21cbe182151812d","includeInternalTxs":false,"includeLogs":false,"effectiveFromBlock":"62318420","changed":2,"totalAddresses":3}},"address-change.past":{"value":{"id":"f3b0c6a1-91d5-4a6e-b0a8-1c9a3f0d7e52","url":"https://example.com/hooks/wallets","chainId":"43114","status":"active","statusReason":"created","statusSince":1767225600000,"createdAt":1767225600000,"name":"","description":"","eventType":"address_activity","metadata":{"eventSignatures":[],"addresses":["0x5425890298aed601595a70ab815c96711a31bc65","0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85","0xd8da6bf26964af9d7eed9e03e53415d37aa96045"]},"addressCount":3,"addressDigest":"0xdb0e6a8a7a3be288dbba1855ff424f3891df36a57970b1cca21cbe182151812d","includeInternalTxs":false,"includeLogs":false,"effectiveFromBlock":"62318420","changed":2,"totalAddresses":3,"replayId":"0b8f6c1e-3c55-4f0e-9f57-3a1d9f4b7e21"}},"error.403.replays":{"value":{"message":"The account may read at most 1,000,000 blocks of the past within 24 hours, of which 2,000 are left; enough are free again at 2026-01-02T00:00:01Z.","statusCode":403,"error":"Forbidden"}},"error.409.replays":{"value":{"message":"The webhook has 10 unfinished replays; wait until one finishes.","statusCode":409,"error":"Conflict"}},"address-digests":{"value":{"digests":[{"prefix":"0x54","count":1,"digest":"0x5425890298aed601595a70ab815c96711a31bc6513181e3cb7a655477717a03e"},{"prefix":"0x57","count":1,"digest":"0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea855a0c016abafd3fee13e8a9ee"},{"prefix":"0xd8","count":1,"digest":"0xd8da6bf26964af9d7eed9e03e53415d37aa960453064ae9aaf47d4b145ae88fd"}]}},"address-change-state":{"value":{"changeId":"3c6c2a4e-7d0b-4f0a-9a64-0d3f5a1b8e21","committed":false,"toAdd":3,"toRemove":1}},"address-change-state.committed":{"value":{"changeId":"3c6c2a4e-7d0b-4f0a-9a64-0d3f5a1b8e21","committed":true,"toAdd":3,"toRemove":1,"added":3,"removed":1,"addressCount":3,"addressDigest":"0xdb0e6a8a7a3be288dbba1855ff424f3891df36a57970b1cca21cbe182151812d","effectiveFromBlock":"62318420"}},"error.409.addresses":{"value":{"message":"addressDigest must be 0x5425890298aed601595a70ab815c96711a31bc6513181e3cb7a655477717a03e, which the addresses would have after the change; compare them again.","statusCode":409,"error":"Conflict"}},"webhook-secret":{"value":{"secret":"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}},"webhook-secret.rotated":{"value":{"secret":"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD","previousSecretExpiresAt":1767312000000}},"shared-secret":{"value":{"secret":"5b4de1c7a3902f68d17be4500c9a6f3e8821d4b7f05c6a93ce12708f4ab9d356"}},"shared-secret.rotated":{"value":{"secret":"0b6155b01408861ac70a1950480c95f9be6c4962ca29a1ba037e0c5a5a7b0e1d","previousSecretExpiresAt":1767312000000}},"test-result.delivered":{"value":{"messageId":"b7e0f1c2-54d3-4f86-9a5e-1c0d2e3f4a5b","delivered":true,"sentAt":1767225601000,"durationMs":84,"responseStatus":204}},"test-result.refused":{"value":{"messageId":"b7e0f1c2-54d3-4f86-9a5e-1c0d2e3f4a5b","delivered":false,"sentAt":1767225601000,"durationMs":112,"responseStatus":401,"responseBody":"signature does not verify","errorClass":"bad_status"}},"test-result.unreachable":{"value":{"messageId":"b7e0f1c2-54d3-4f86-9a5e-1c0d2e3f4a5b","delivered":false,"sentAt":1767225601000,"durationMs":3,"errorClass":"connection_refused"}},"notification-page":{"value":{"notifications":[{"messageId":"d0b83f51-3584-5c94-b3cf-4a3861d00dfb","sequence":42,"blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","removed":false,"recordedAt":1767225601000,"status":"delivered","attemptCount":1,"lastAttempt":{"number":1,"trigger":"schedule","sentAt":1767225601012,"durationMs":84,"responseStatus":204}},{"messageId":"caf274ed-bd3a-50ed-9717-1fbad61273d2","sequence":43,"blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","removed":true,"recordedAt":1767225605000,"status":"pending","attemptCount":0}],"nextPageToken":"NDM"}},"notification-page.failed":{"value":{"notifications":[{"messageId":"d0b83f51-3584-5c94-b3cf-4a3861d00dfb","sequence":42,"blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","removed":false,"recordedAt":1767225601000,"status":"failed","attemptCount":10,"lastAttempt":{"number":10,"trigger":"schedule","sentAt":1767385601000,"durationMs":7,"errorClass":"connection_refused"}}]}},"notification-detail.delivered":{"value":{"messageId":"8c21d892-a423-5806-9d56-5c804b13674a","sequence":7,"blockNumber":"20000000","blockHash":"0xd24fd73f794058a3807db926d8898c6481e902b7edb91ce0d479d6760f276183","txHash":"0x6021f898933bc4ce1ccd6f9ab0af2c823e73cf902f6eb17ed78b4eec6beb8d8d","removed":false,"recordedAt":1767225601000,"status":"delivered","attemptCount":2,"lastAttempt":{"number":2,"trigger":"resend","sentAt":1767229201000,"durationMs":61,"responseStatus":200,"responseBody":"ok"},"payload":{"webhookId":"f3b0c6a1-91d5-4a6e-b0a8-1c9a3f0d7e52","eventType":"address_activity","messageId":"8c21d892-a423-5806-9d56-5c804b13674a","event":{"transaction":{"blockHash":"0xd24fd73f794058a3807db926d8898c6481e902b7edb91ce0d479d6760f276183","blockNumber":"20000000","from":"0x02abb0c71c407b2bce10c64609f27d89939b9c43","to":"0xe015593439749a01f280f75d74d683bb453be883","gas":"21000","gasPrice":"4985457716","maxFeePerGas":"6939113126","maxPriorityFeePerGas":"48500000","txHash":"0x6021f898933bc4ce1ccd6f9ab0af2c823e73cf902f6eb17ed78b4eec6beb8d8d","txStatus":"1","input":"0x","nonce":"801","transactionIndex":121,"value":"1000000000000000000","type":2,"chainId":"1","receiptCumulativeGasUsed":"9442547","receiptGasUsed":"21000","receiptEffectiveGasPrice":"4985457716","receiptRoot":"0xb39f9f7a13a342751bd2c575eca303e224393d4e11d715866b114b7e824da608","contractAddress":"0x0000000000000000000000000000000000000000","blockTimestamp":1717281407}}},"attempts":[{"number":1,"trigger":"schedule","sentAt":1767225601012,"durationMs":84,"responseStatus":204},{"number":2,"trigger":"resend","sentAt":1767229201000,"durationMs":61,"responseStatus":200,"responseBody":"ok"}]}},"notification-detail.failing":{"value":{"messageId":"8c21d892-a423-5806-9d56-5c804b13674a","sequence":7,"blockNumber":"20000000","blockHash":"0xd24fd73f794058a3807db926d8898c6481e902b7edb91ce0d479d6760f276183","txHash":"0x6021f898933bc4ce1ccd6f9ab0af2c823e73cf902f6eb17ed78b4eec6beb8d8d","removed":false,"recordedAt":1767225601000,"status":"pending","attemptCount":2,"nextAttemptAt":1767225672000,"lastAttempt":{"number":2,"trigger":"schedule","sentAt":1767225611412,"durationMs":10000,"errorClass":"timeout"},"payload":{"webhookId":"f3b0c6a1-91d5-4a6e-b0a8-1c9a3f0d7e52","eventType":"address_activity","messageId":"8c21d892-a423-5806-9d56-5c804b13674a","event":{"transaction":{"blockHash":"0xd24fd73f794058a3807db926d8898c6481e902b7edb91ce0d479d6760f276183","blockNumber":"20000000","from":"0x02abb0c71c407b2bce10c64609f27d89939b9c43","to":"0xe015593439749a01f280f75d74d683bb453be883","gas":"21000","gasPrice":"4985457716","maxFeePerGas":"6939113126","maxPriorityFeePerGas":"48500000","txHash":"0x6021f898933bc4ce1ccd6f9ab0af2c823e73cf902f6eb17ed78b4eec6beb8d8d","txStatus":"1","input":"0x","nonce":"801","transactionIndex":121,"value":"1000000000000000000","type":2,"chainId":"1","receiptCumulativeGasUsed":"9442547","receiptGasUsed":"21000","receiptEffectiveGasPrice":"4985457716","receiptRoot":"0xb39f9f7a13a342751bd2c575eca303e224393d4e11d715866b114b7e824da608","contractAddress":"0x0000000000000000000000000000000000000000","blockTimestamp":1717281407}}},"attempts":[{"number":1,"trigger":"schedule","sentAt":1767225601012,"durationMs":95,"responseStatus":500,"responseBody":"busy","errorClass":"bad_status"},{"number":2,"trigger":"schedule","sentAt":1767225611412,"durationMs":10000,"errorClass":"timeout"}]}},"notification-record.delivered":{"value":{"messageId":"d0b83f51-3584-5c94-b3cf-4a3861d00dfb","sequence":42,"blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","removed":false,"recordedAt":1767225601000,"status":"delivered","attemptCount":1,"nextAttemptAt":1767229201000,"lastAttempt":{"number":1,"trigger":"schedule","sentAt":1767225601012,"durationMs":84,"responseStatus":204}}},"notification-record.failed":{"value":{"messageId":"d0b83f51-3584-5c94-b3cf-4a3861d00dfb","sequence":42,"blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","removed":false,"recordedAt":1767225601000,"status":"pending","attemptCount":10,"nextAttemptAt":1767425601000,"lastAttempt":{"number":10,"trigger":"schedule","sentAt":1767385601000,"durationMs":7,"errorClass":"connection_refused"}}},"feed":{"value":{"notifications":[{"sequence":42,"payload":{"webhookId":"f3b0c6a1-91d5-4a6e-b0a8-1c9a3f0d7e52","eventType":"address_activity","messageId":"8c21d892-a423-5806-9d56-5c804b13674a","event":{"transaction":{"blockHash":"0xd24fd73f794058a3807db926d8898c6481e902b7edb91ce0d479d6760f276183","blockNumber":"20000000","from":"0x02abb0c71c407b2bce10c64609f27d89939b9c43","to":"0xe015593439749a01f280f75d74d683bb453be883","gas":"21000","gasPrice":"4985457716","maxFeePerGas":"6939113126","maxPriorityFeePerGas":"48500000","txHash":"0x6021f898933bc4ce1ccd6f9ab0af2c823e73cf902f6eb17ed78b4eec6beb8d8d","txStatus":"1","input":"0x","nonce":"801","transactionIndex":121,"value":"1000000000000000000","type":2,"chainId":"1","receiptCumulativeGasUsed":"9442547","receiptGasUsed":"21000","receiptEffectiveGasPrice":"4985457716","receiptRoot":"0xb39f9f7a13a342751bd2c575eca303e224393d4e11d715866b114b7e824da608","contractAddress":"0x0000000000000000000000000000000000000000","blockTimestamp":1717281407}}}}],"lastSequence":42}},"feed.nothing-new":{"value":{"notifications":[],"lastSequence":42}},"error.410":{"value":{"message":"after must be at least 41: the next notification that is kept has the sequence 42.","statusCode":410,"error":"Gone"}},"replay.queued":{"value":{"id":"0b8f6c1e-3c55-4f0e-9f57-3a1d9f4b7e21","webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","status":"queued","fromBlock":"62318001","toBlock":"62320000","resentCount":0,"addedCount":0,"createdAt":1767225601000}},"replay.running":{"value":{"id":"0b8f6c1e-3c55-4f0e-9f57-3a1d9f4b7e21","webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","status":"running","fromBlock":"62318001","toBlock":"62320000","currentBlock":"62318412","resentCount":12,"addedCount":3,"blocksPerSecond":41,"finishesAt":1767225649000,"createdAt":1767225601000}},"replay.done":{"value":{"id":"0b8f6c1e-3c55-4f0e-9f57-3a1d9f4b7e21","webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","status":"done","fromBlock":"62318001","toBlock":"62320000","currentBlock":"62320000","resentCount":57,"addedCount":3,"createdAt":1767225601000,"finishedAt":1767225802000}},"replay.failed":{"value":{"id":"0b8f6c1e-3c55-4f0e-9f57-3a1d9f4b7e21","webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","status":"failed","statusReason":"Block 62318413 was not returned by any node of the chain for a day.","fromBlock":"62318001","toBlock":"62320000","currentBlock":"62318412","resentCount":12,"addedCount":3,"createdAt":1767225601000,"finishedAt":1767312002000}},"replay.cancelled":{"value":{"id":"0b8f6c1e-3c55-4f0e-9f57-3a1d9f4b7e21","webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","status":"cancelled","fromBlock":"62318001","toBlock":"62320000","currentBlock":"62318412","resentCount":12,"addedCount":3,"createdAt":1767225601000,"finishedAt":1767225611000}},"explanation.notified":{"value":{"webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","notified":true,"reason":"notified","message":"Notification 42 is delivered. It matches: 0xbd3531da5cf5857e7cfaa92426877b022e612cf8 is the emitter of log 2.","blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","matches":true,"parts":[{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":2,"topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","matches":true},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":1,"topic0":"0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925","matches":false}],"partCount":2,"followedBlock":"18951427","notifications":[{"messageId":"d0b83f51-3584-5c94-b3cf-4a3861d00dfb","sequence":42,"blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","removed":false,"recordedAt":1767225601000,"status":"delivered","attemptCount":1,"lastAttempt":{"number":1,"trigger":"schedule","sentAt":1767225601012,"durationMs":84,"responseStatus":204}}]}},"explanation.retracted":{"value":{"webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","notified":false,"reason":"retracted","message":"The block of the notification left the chain. Retraction 43 is delivered.","parts":[],"partCount":0,"followedBlock":"18951427","notifications":[{"messageId":"d0b83f51-3584-5c94-b3cf-4a3861d00dfb","sequence":42,"blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","removed":false,"recordedAt":1767225601000,"status":"delivered","attemptCount":1,"lastAttempt":{"number":1,"trigger":"schedule","sentAt":1767225601012,"durationMs":84,"responseStatus":204}},{"messageId":"caf274ed-bd3a-50ed-9717-1fbad61273d2","sequence":43,"blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","removed":true,"recordedAt":1767225661000,"status":"delivered","attemptCount":1,"lastAttempt":{"number":1,"trigger":"schedule","sentAt":1767225661012,"durationMs":84,"responseStatus":204}}]}},"explanation.not-watched":{"value":{"webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","notified":false,"reason":"not_watched","message":"It does not match: no watched address takes part in it.","blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","matches":false,"parts":[],"partCount":0,"followedBlock":"18951427","notifications":[]}},"explanation.other-event":{"value":{"webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","notified":false,"reason":"other_event","message":"It does not match: 0xbd3531da5cf5857e7cfaa92426877b022e612cf8 is the emitter of log 1, and 1 more part, but in no log with one of the event signatures.","blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","matches":false,"parts":[{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":1,"topic0":"0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925","matches":false},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":2,"topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","matches":false}],"partCount":2,"followedBlock":"18951427","notifications":[]}},"explanation.condition-failed":{"value":{"webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","notified":false,"reason":"condition_failed","message":"It does not match: the condition all.1 does not hold, for log 2.","blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","matches":false,"parts":[{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":1,"topic0":"0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925","matches":false},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":2,"topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","matches":false}],"partCount":2,"decidedBy":[{"path":"all.1","field":"transfer.tokenId","op":"lt","value":"1000","actual":"7096","holds":false}],"decidedOn":{"logIndex":2,"standard":"erc721","contract":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","from":"0x29469395eaf6f95920e59f858042f0e28d98a20b","to":"0xed6af25e6158a2a6106f72126a4db188f55ab723","value":"1","tokenId":"7096"},"followedBlock":"18951427","notifications":[]}},"explanation.not-yet-effective":{"value":{"webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","notified":false,"reason":"not_yet_effective","message":"Its block 18951424 is before 18951425, the first that the webhook, or the address, is notified of. A replay notifies of it.","blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","matches":true,"parts":[{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":2,"topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","matches":true,"fromBlock":"18951425"},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":1,"topic0":"0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925","matches":false,"fromBlock":"18951425"}],"partCount":2,"fromBlock":"18951425","followedBlock":"18951427","notifications":[]}},"explanation.inactive":{"value":{"webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","notified":false,"reason":"webhook_inactive","message":"The webhook was inactive at block 18951424, and notified again from 18951426 on. A replay notifies of it.","blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","matches":true,"parts":[{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":2,"topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","matches":true},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":1,"topic0":"0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925","matches":false}],"partCount":2,"fromBlock":"18951426","followedBlock":"18951427","notifications":[]}},"explanation.pending":{"value":{"webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","notified":false,"reason":"pending","message":"The transaction is in no block yet.","parts":[],"partCount":0,"followedBlock":"18951427","notifications":[]}},"explanation.not-followed-yet":{"value":{"webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","notified":false,"reason":"not_followed_yet","message":"Its block 18951424 is not recorded yet; the newest that is: 18951372. The notification follows once the chain is followed again, which stopped at 2026-01-01T00:00:00.000Z. It matches: 0xbd3531da5cf5857e7cfaa92426877b022e612cf8 is the emitter of log 2.","blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","matches":true,"parts":[{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":2,"topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","matches":true},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":1,"topic0":"0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925","matches":false}],"partCount":2,"stoppedSince":1767225600000,"followedBlock":"18951372","notifications":[]}},"explanation.waiting-for-finality":{"value":{"webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","notified":false,"reason":"waiting_for_finality","message":"Its block 18951424 is not yet as deep as the webhook's finality asks. The notification follows in 9 more blocks. It matches: 0xbd3531da5cf5857e7cfaa92426877b022e612cf8 is the emitter of log 2.","blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","matches":true,"parts":[{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":2,"topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","matches":true},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":1,"topic0":"0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925","matches":false}],"partCount":2,"missingBlocks":9,"followedBlock":"18951427","notifications":[]}},"explanation.not-kept":{"value":{"webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","notified":false,"reason":"not_kept","message":"Notifications of the time of block 18951424 are no longer kept. It matches: 0xbd3531da5cf5857e7cfaa92426877b022e612cf8 is the emitter of log 2.","blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","matches":true,"parts":[{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":2,"topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","matches":true},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":1,"topic0":"0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925","matches":false}],"partCount":2,"followedBlock":"18951427","notifications":[]}},"explanation.unexplained":{"value":{"webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","notified":false,"reason":"unexplained","message":"Nothing was recorded, although it matches now: the webhook may have changed since block 18951424. A replay notifies of it. It matches: 0xbd3531da5cf5857e7cfaa92426877b022e612cf8 is the emitter of log 2.","blockNumber":"18951424","blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","matches":true,"parts":[{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":2,"topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","matches":true},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","role":"emitter","logIndex":1,"topic0":"0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925","matches":false}],"partCount":2,"followedBlock":"18951427","notifications":[]}},"operational-webhook":{"value":{"url":"https://example.com/hooks/operations","format":"signed","status":"active","statusReason":"created","statusSince":1767225600000,"createdAt":1767225600000}},"operational-webhook.deleted":{"value":{"url":"https://example.com/hooks/operations","format":"signed","status":"inactive","statusReason":"requested","statusSince":1767312000000,"createdAt":1767225600000}},"operational-feed":{"value":{"notifications":[{"sequence":1,"payload":{"messageId":"9a1e8f64-3b2d-4f0c-a1d7-5c9e2b7f4a21","type":"chain.stopped","createdAt":1767225700000,"subject":"chain:1","message":"Chain 1 stands still: None of the chain's nodes returns what its next blocks need; the log says what is wrong with each.","data":{"chainId":"1","reason":"None of the chain's nodes returns what its next blocks need; the log says what is wrong with each.","since":1767225600000}}},{"sequence":2,"payload":{"messageId":"5f9b9a52-0d0c-4d7e-9a3f-1c2b3d4e5f60","type":"chain.resumed","createdAt":1767225900000,"subject":"chain:1","message":"Chain 1 is followed again.","data":{"chainId":"1"}}}],"lastSequence":2}},"chain-list":{"value":{"chains":[{"chainId":"43113","name":"Avalanche Fuji C-Chain","traces":true,"finality":"latest","finalBlock":"48120776","headBlock":"48120776","followedBlock":"48120776","lagBlocks":0,"blocksFrom":"nodes","lanes":[{"traces":false,"headBlock":"48120776","followedBlock":"48120776","lagBlocks":0,"lagSeconds":0,"blocksFrom":"nodes"}]},{"chainId":"43114","name":"Avalanche C-Chain","traces":true,"finality":"latest","finalBlock":"62318000","headBlock":"62318003","followedBlock":"62318000","lagBlocks":3,"blocksFrom":"nodes","lanes":[{"traces":false,"headBlock":"62318003","followedBlock":"62318000","lagBlocks":3,"lagSeconds":2,"blocksFrom":"nodes"},{"traces":true,"headBlock":"62318003","followedBlock":"62317951","lagBlocks":52,"lagSeconds":71,"blocksFrom":"nodes","stoppedSince":1767225600000,"stoppedReason":"None of the chain's nodes returns the traces of its next blocks. Only webhooks with includeInternalTxs wait for them."}]}]}},"notification.non-fungible-transfer":{"value":{"webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","eventType":"address_activity","messageId":"d0b83f51-3584-5c94-b3cf-4a3861d00dfb","event":{"transaction":{"blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","blockNumber":"18951424","from":"0xed6af25e6158a2a6106f72126a4db188f55ab723","to":"0x29469395eaf6f95920e59f858042f0e28d98a20b","gas":"160692","gasPrice":"23616620062","maxFeePerGas":"30006978184","maxPriorityFeePerGas":"100000000","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","txStatus":"1","input":"0xc87df1c20000000000000000000000008bc110db7029197c3621bea8092ab1996d5dd7be000000000000000000000000ed6af25e6158a2a6106f72126a4db188f55ab723000000000000000000000000bd3531da5cf5857e7cfaa92426877b022e612cf80000000000000000000000000000000000000000000000000000000000001bb800000000000000000000000000000000000000000000000060ba6a1244790000000000000000000000000000000000000000000000000000000000006598dc9f000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002328000000000000000000000000000000000000000000000000000000000002b43e","nonce":"3424","transactionIndex":33,"value":"0","type":2,"chainId":"1","receiptCumulativeGasUsed":"4171854","receiptGasUsed":"139450","receiptEffectiveGasPrice":"23616620062","receiptRoot":"0xca2fca49d1140470164e8bc040edad8af45a3af05796fce0bb197f2856e051e7","contractAddress":"0x0000000000000000000000000000000000000000","blockTimestamp":1704584219},"logs":[{"address":"0x29469395eaf6f95920e59f858042f0e28d98a20b","topic0":"0x2469cc9e12e74c63438d5b1117b318cd3a4cdaf9d659d9eac6d975d14d963254","topic1":null,"topic2":null,"topic3":null,"data":"0x000000000000000000000000000000000000000000000000000000000002b43e000000000000000000000000bd3531da5cf5857e7cfaa92426877b022e612cf8","transactionIndex":33,"logIndex":0,"removed":false},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","topic0":"0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925","topic1":"0x00000000000000000000000029469395eaf6f95920e59f858042f0e28d98a20b","topic2":"0x0000000000000000000000000000000000000000000000000000000000000000","topic3":"0x0000000000000000000000000000000000000000000000000000000000001bb8","data":"0x","transactionIndex":33,"logIndex":1,"removed":false},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","topic1":"0x00000000000000000000000029469395eaf6f95920e59f858042f0e28d98a20b","topic2":"0x000000000000000000000000ed6af25e6158a2a6106f72126a4db188f55ab723","topic3":"0x0000000000000000000000000000000000000000000000000000000000001bb8","data":"0x","transactionIndex":33,"logIndex":2,"removed":false},{"address":"0x0000000000a39bb272e79075ade125fd351887ac","topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","topic1":"0x000000000000000000000000ed6af25e6158a2a6106f72126a4db188f55ab723","topic2":"0x0000000000000000000000008bc110db7029197c3621bea8092ab1996d5dd7be","topic3":null,"data":"0x00000000000000000000000000000000000000000000000060ba6a1244790000","transactionIndex":33,"logIndex":3,"removed":false}]}}},"notification.multi-token-transfer":{"value":{"webhookId":"c4a8d2e6-7b31-4f59-a0c7-3d5e9b1f8a24","eventType":"address_activity","messageId":"a8be1851-d9ed-59be-9957-317da877e380","event":{"transaction":{"blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","blockNumber":"18951424","from":"0xd93bc7471a2cf7e57ee6d45635e8c8452a6db08c","to":"0x550b0ac1e89b10ec6969b777fdca4791ed131079","gas":"120444","gasPrice":"23616620062","maxFeePerGas":"31320373037","maxPriorityFeePerGas":"100000000","txHash":"0x1b38b829a89ffeca4a58bdee5a7439cea8677d878ab2373804311127593b92ed","txStatus":"1","input":"0x106c9da1000000000000000000000000000000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000003e80000000000000000000000000000000000000000000000000000000000095615","nonce":"12","transactionIndex":28,"value":"0","type":2,"chainId":"1","receiptCumulativeGasUsed":"3362966","receiptGasUsed":"118625","receiptEffectiveGasPrice":"23616620062","receiptRoot":"0xca2fca49d1140470164e8bc040edad8af45a3af05796fce0bb197f2856e051e7","contractAddress":"0x0000000000000000000000000000000000000000","blockTimestamp":1704584219},"logs":[{"address":"0x550b0ac1e89b10ec6969b777fdca4791ed131079","topic0":"0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62","topic1":"0x000000000000000000000000d93bc7471a2cf7e57ee6d45635e8c8452a6db08c","topic2":"0x0000000000000000000000000000000000000000000000000000000000000000","topic3":"0x000000000000000000000000d93bc7471a2cf7e57ee6d45635e8c8452a6db08c","data":"0x000000000000000000000000000000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000003e8","transactionIndex":28,"logIndex":0,"removed":false},{"address":"0x550b0ac1e89b10ec6969b777fdca4791ed131079","topic0":"0xf19552642a0df5f474bce7bd71ea14889d1252294456275a02a4f659a5f506ff","topic1":"0x0000000000000000000000000000000000000000000000000000000000000001","topic2":"0x0000000000000000000000000000000000000000000000000000000000487ac4","topic3":"0xbb89e07f11d2ada68d4510ab7bdcfdf6f787e7cebba7e630d2765e7a972703a7","data":"0x000000000000000000000000d93bc7471a2cf7e57ee6d45635e8c8452a6db08c","transactionIndex":28,"logIndex":1,"removed":false}]}}},"notification.fungible-transfer":{"value":{"webhookId":"0b6e9f27-5c3d-4e8a-9d11-7a2c4b8e6f90","eventType":"address_activity","messageId":"b9c32493-f240-5144-86d9-c18c57f05448","event":{"transaction":{"blockHash":"0x89ad6fb434f7b913ece5b4e524924b0d7d2aa1b8a081e1ca8bff10b9a98ae6f2","blockNumber":"19933122","from":"0x21a31ee1afc51d94c2efccaa2092ad1028285549","to":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","gas":"207128","gasPrice":"20154869770","maxFeePerGas":"102000000000","maxPriorityFeePerGas":"2000000000","txHash":"0x6fc8789cffcbb40dfed803fa1794b157ffe6a3453e8dac5c0ad1837343d15a56","txStatus":"1","input":"0xa9059cbb000000000000000000000000f12e4f4385adf4d70c686503e61088b098de1771000000000000000000000000000000000000000000000000000000100b16c6ac","nonce":"9492559","transactionIndex":27,"value":"0","type":2,"chainId":"1","receiptCumulativeGasUsed":"1328436","receiptGasUsed":"62272","receiptEffectiveGasPrice":"20154869770","receiptRoot":"0x797b5754d57c841c4e8c66aa0ac6c36d1d8eb1eb538c8ff8053aa72800ebee46","contractAddress":"0x0000000000000000000000000000000000000000","blockTimestamp":1716473807,"internalTransactions":[{"from":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","to":"0x43506849d7c04f9138d1a2050bbf3a0c054402dd","internalTxType":"DELEGATECALL","value":"0","gasUsed":"33363","gasLimit":"175478","transactionHash":"0x6fc8789cffcbb40dfed803fa1794b157ffe6a3453e8dac5c0ad1837343d15a56"}]},"logs":[{"address":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","topic1":"0x00000000000000000000000021a31ee1afc51d94c2efccaa2092ad1028285549","topic2":"0x000000000000000000000000f12e4f4385adf4d70c686503e61088b098de1771","topic3":null,"data":"0x000000000000000000000000000000000000000000000000000000100b16c6ac","transactionIndex":27,"logIndex":0,"removed":false}]}}},"notification.native-transfer":{"value":{"webhookId":"f3b0c6a1-91d5-4a6e-b0a8-1c9a3f0d7e52","eventType":"address_activity","messageId":"8c21d892-a423-5806-9d56-5c804b13674a","event":{"transaction":{"blockHash":"0xd24fd73f794058a3807db926d8898c6481e902b7edb91ce0d479d6760f276183","blockNumber":"20000000","from":"0x02abb0c71c407b2bce10c64609f27d89939b9c43","to":"0xe015593439749a01f280f75d74d683bb453be883","gas":"21000","gasPrice":"4985457716","maxFeePerGas":"6939113126","maxPriorityFeePerGas":"48500000","txHash":"0x6021f898933bc4ce1ccd6f9ab0af2c823e73cf902f6eb17ed78b4eec6beb8d8d","txStatus":"1","input":"0x","nonce":"801","transactionIndex":121,"value":"1000000000000000000","type":2,"chainId":"1","receiptCumulativeGasUsed":"9442547","receiptGasUsed":"21000","receiptEffectiveGasPrice":"4985457716","receiptRoot":"0xb39f9f7a13a342751bd2c575eca303e224393d4e11d715866b114b7e824da608","contractAddress":"0x0000000000000000000000000000000000000000","blockTimestamp":1717281407}}}},"notification.contract-creation":{"value":{"webhookId":"f3b0c6a1-91d5-4a6e-b0a8-1c9a3f0d7e52","eventType":"address_activity","messageId":"d2c557fa-4906-502f-8aa4-7df1c5a3e4d7","event":{"transaction":{"blockHash":"0x2c8a8ee582f8b0d920071c2e852ceac91e1df5e2280cce7491ace1f3b5bd5bf4","blockNumber":"4662649","from":"0xfbf2173154f7625713be22e0504404ebfe021eae","to":"0x0000000000000000000000000000000000000000","gas":"500000","gasPrice":"42000000000","maxFeePerGas":"0","maxPriorityFeePerGas":"0","txHash":"0x41b4484a974bd07315d6ce3f71f3fa393c348ec6de7e4feccf9e6393e5b79692","txStatus":"1","input":"0x6060604052341561000c57fe5b5b73fbf2173154f7625713be22e0504404ebfe021eae600060006101000a81548173ffffffffffffffffffffffffffffffffffffffff021916908373ffffffffffffffffffffffffffffffffffffffff16021790555073b64ef51c888972c908cfacf59b47c1afbc0ab8ac600160006101000a81548173ffffffffffffffffffffffffffffffffffffffff021916908373ffffffffffffffffffffffffffffffffffffffff1602179055505b5b6102e3806100c86000396000f3006060604052361561003f576000357c0100000000000000000000000000000000000000000000000000000000900463ffffffff16806301681a621461007b575b341561004757fe5b6100795b610076600160009054906101000a900473ffffffffffffffffffffffffffffffffffffffff166100b1565b5b565b005b341561008357fe5b6100af600480803573ffffffffffffffffffffffffffffffffffffffff169060200190919050506100b1565b005b6000819050600060009054906101000a900473ffffffffffffffffffffffffffffffffffffffff1673ffffffffffffffffffffffffffffffffffffffff163373ffffffffffffffffffffffffffffffffffffffff161480156102a657508073ffffffffffffffffffffffffffffffffffffffff1663a9059cbb600060009054906101000a900473ffffffffffffffffffffffffffffffffffffffff168373ffffffffffffffffffffffffffffffffffffffff166370a08231306000604051602001526040518263ffffffff167c0100000000000000000000000000000000000000000000000000000000028152600401808273ffffffffffffffffffffffffffffffffffffffff1673ffffffffffffffffffffffffffffffffffffffff168152602001915050602060405180830381600087803b15156101ed57fe5b60325a03f115156101fa57fe5b505050604051805190506000604051602001526040518363ffffffff167c0100000000000000000000000000000000000000000000000000000000028152600401808373ffffffffffffffffffffffffffffffffffffffff1673ffffffffffffffffffffffffffffffffffffffff16815260200182815260200192505050602060405180830381600087803b151561028e57fe5b60325a03f1151561029b57fe5b505050604051805190505b15156102b25760006000fd5b5b50505600a165627a7a7230582092f977cabf332175c2bc51ff892de2f8403bc139ac84e9e2eb78c75905f08a4f0029","nonce":"6349","transactionIndex":31,"value":"0","type":0,"chainId":"1","receiptCumulativeGasUsed":"967122","receiptGasUsed":"297508","receiptEffectiveGasPrice":"42000000000","receiptRoot":"0xbcef8bd707455880f986c279902ab5ccde27a0813f4e42307fbfa42bdeab01c8","contractAddress":"0xa0d98ce1f048068aea21aa39d1bf494e5e5f86d9","blockTimestamp":1512223431}}}},"notification.failed-transaction":{"value":{"webhookId":"f3b0c6a1-91d5-4a6e-b0a8-1c9a3f0d7e52","eventType":"address_activity","messageId":"49d8ecea-685d-55e2-a98b-fd8a4c58ace9","event":{"transaction":{"blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","blockNumber":"18951424","from":"0x7dec1eaa1a44362ca9555f9d502410e331560255","to":"0x550b0ac1e89b10ec6969b777fdca4791ed131079","gas":"200000","gasPrice":"24516620062","maxFeePerGas":"200000000000","maxPriorityFeePerGas":"1000000000","txHash":"0xd736307f20dd9f19b5ba0e4dac53464f67f44da6fb9c61a72ae511a239893cc5","txStatus":"0","input":"0x106c9da1000000000000000000000000000000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000003e800000000000000000000000000000000000000000000000000000000005c0628","nonce":"270","transactionIndex":44,"value":"0","type":2,"chainId":"1","receiptCumulativeGasUsed":"6239897","receiptGasUsed":"36914","receiptEffectiveGasPrice":"24516620062","receiptRoot":"0xca2fca49d1140470164e8bc040edad8af45a3af05796fce0bb197f2856e051e7","contractAddress":"0x0000000000000000000000000000000000000000","blockTimestamp":1704584219}}}},"notification.internal-transactions":{"value":{"webhookId":"0b6e9f27-5c3d-4e8a-9d11-7a2c4b8e6f90","eventType":"address_activity","messageId":"433e62c7-800d-5ba9-a565-207f9d857052","event":{"transaction":{"blockHash":"0x1638380ab737e0e916bd1c7f23bd2bab2a532e44b90047f045f262ee21c42b21","blockNumber":"12244000","from":"0x85d75fbe5b8475d34375023b3bd2ce7d8224da2a","to":"0x80e9540c204c05be63cfe44b43302780175b60ff","gas":"396484","gasPrice":"67000000000","maxFeePerGas":"0","maxPriorityFeePerGas":"0","txHash":"0xbe0404c5ccc5d1e66d36e7bc1dba499bbb610c43391ca1e3f774f2c07d897f01","txStatus":"1","input":"0x410ac0e80000000000000000000000000000000000000000000000000000000000006787e9fb362a578da5fe39810ffd6942d70b49f3bdcc462d0d12a2558ea66ec9ec8f92e5b5ad956c43028192b1f3e508eb469e38b803a10fe548b87e2a730f831ffd4cf39b922972f452d96ffb95915e74d7f550206b8f07f24cb7d47ee468b51536000000000000000000000000000000000000000000000000000000000000001b","nonce":"0","transactionIndex":120,"value":"100000000000000000","type":0,"chainId":"1","receiptCumulativeGasUsed":"11427625","receiptGasUsed":"392040","receiptEffectiveGasPrice":"67000000000","receiptRoot":"0x974fee017515a46303f467b6fd50872994db1b0ea64d3455bad93ff9678aced9","contractAddress":"0x0000000000000000000000000000000000000000","blockTimestamp":1618481223,"internalTransactions":[{"from":"0x80e9540c204c05be63cfe44b43302780175b60ff","to":"0x7c23481b00a5dce8d2a9960f1510f2e0a31fce29","internalTxType":"CALL","value":"84000000000000000","gasUsed":"0","gasLimit":"2300","transactionHash":"0xbe0404c5ccc5d1e66d36e7bc1dba499bbb610c43391ca1e3f774f2c07d897f01"},{"from":"0x80e9540c204c05be63cfe44b43302780175b60ff","to":"0x629dbb4ecde5fa809fdc68cb1b75f6f43d7f5575","internalTxType":"CALL","value":"16000000000000000","gasUsed":"0","gasLimit":"2300","transactionHash":"0xbe0404c5ccc5d1e66d36e7bc1dba499bbb610c43391ca1e3f774f2c07d897f01"},{"from":"0x80e9540c204c05be63cfe44b43302780175b60ff","to":"0x1788430620960f9a70e3dc14202a3a35dde1a316","internalTxType":"CALL","value":"0","gasUsed":"57824","gasLimit":"113321","transactionHash":"0xbe0404c5ccc5d1e66d36e7bc1dba499bbb610c43391ca1e3f774f2c07d897f01"},{"from":"0x1788430620960f9a70e3dc14202a3a35dde1a316","to":"0x0000000000000000000000000000000000000001","internalTxType":"STATICCALL","value":"0","gasUsed":"3000","gasLimit":"106477","transactionHash":"0xbe0404c5ccc5d1e66d36e7bc1dba499bbb610c43391ca1e3f774f2c07d897f01"}]},"logs":[{"address":"0x1788430620960f9a70e3dc14202a3a35dde1a316","topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","topic1":"0x0000000000000000000000000000000000000000000000000000000000000000","topic2":"0x00000000000000000000000085d75fbe5b8475d34375023b3bd2ce7d8224da2a","topic3":null,"data":"0x0000000000000000000000000000000000000000000000008ac7230489e80000","transactionIndex":120,"logIndex":0,"removed":false},{"address":"0x80e9540c204c05be63cfe44b43302780175b60ff","topic0":"0xcbdd750391a1e2f2af2073139d4b9cd7c6ff2ad06bfbb8f67084ebe4e157bcbd","topic1":"0x00000000000000000000000085d75fbe5b8475d34375023b3bd2ce7d8224da2a","topic2":"0x0000000000000000000000007c23481b00a5dce8d2a9960f1510f2e0a31fce29","topic3":null,"data":"0x00000000000000000000000000000000000000000000000000000000000067e000000000000000000000000000000000000000000000000000000000000067870000000000000000000000000000000000000000000000000000000000000001000000000000000000000000000000000000000000000000016345785d8a00000000000000000000000000000000000000000000000000000000000060781047","transactionIndex":120,"logIndex":1,"removed":false},{"address":"0x80e9540c204c05be63cfe44b43302780175b60ff","topic0":"0x788c06d2405ae89dd3f0528d38be7691289474d72176408bc2c2406dc5e342f1","topic1":"0x00000000000000000000000085d75fbe5b8475d34375023b3bd2ce7d8224da2a","topic2":"0x0000000000000000000000007c23481b00a5dce8d2a9960f1510f2e0a31fce29","topic3":null,"data":"0x0000000000000000000000000000000000000000000000000000000060781047","transactionIndex":120,"logIndex":2,"removed":false}]}}},"notification.decoded-logs":{"value":{"webhookId":"9a4e1c70-52d8-4b6f-8e13-0c7f2a95d6b1","eventType":"address_activity","messageId":"ad7b8912-a923-52d4-878e-5802559bce0a","event":{"transaction":{"blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","blockNumber":"18951424","from":"0xed6af25e6158a2a6106f72126a4db188f55ab723","to":"0x29469395eaf6f95920e59f858042f0e28d98a20b","gas":"160692","gasPrice":"23616620062","maxFeePerGas":"30006978184","maxPriorityFeePerGas":"100000000","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","txStatus":"1","input":"0xc87df1c20000000000000000000000008bc110db7029197c3621bea8092ab1996d5dd7be000000000000000000000000ed6af25e6158a2a6106f72126a4db188f55ab723000000000000000000000000bd3531da5cf5857e7cfaa92426877b022e612cf80000000000000000000000000000000000000000000000000000000000001bb800000000000000000000000000000000000000000000000060ba6a1244790000000000000000000000000000000000000000000000000000000000006598dc9f000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002328000000000000000000000000000000000000000000000000000000000002b43e","nonce":"3424","transactionIndex":33,"value":"0","type":2,"chainId":"1","receiptCumulativeGasUsed":"4171854","receiptGasUsed":"139450","receiptEffectiveGasPrice":"23616620062","receiptRoot":"0xca2fca49d1140470164e8bc040edad8af45a3af05796fce0bb197f2856e051e7","contractAddress":"0x0000000000000000000000000000000000000000","blockTimestamp":1704584219},"logs":[{"address":"0x29469395eaf6f95920e59f858042f0e28d98a20b","topic0":"0x2469cc9e12e74c63438d5b1117b318cd3a4cdaf9d659d9eac6d975d14d963254","topic1":null,"topic2":null,"topic3":null,"data":"0x000000000000000000000000000000000000000000000000000000000002b43e000000000000000000000000bd3531da5cf5857e7cfaa92426877b022e612cf8","transactionIndex":33,"logIndex":0,"removed":false},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","topic0":"0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925","topic1":"0x00000000000000000000000029469395eaf6f95920e59f858042f0e28d98a20b","topic2":"0x0000000000000000000000000000000000000000000000000000000000000000","topic3":"0x0000000000000000000000000000000000000000000000000000000000001bb8","data":"0x","transactionIndex":33,"logIndex":1,"removed":false},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","topic1":"0x00000000000000000000000029469395eaf6f95920e59f858042f0e28d98a20b","topic2":"0x000000000000000000000000ed6af25e6158a2a6106f72126a4db188f55ab723","topic3":"0x0000000000000000000000000000000000000000000000000000000000001bb8","data":"0x","transactionIndex":33,"logIndex":2,"removed":false,"decoded":{"name":"Transfer","signature":"Transfer(address,address,uint256)","args":{"from":"0x29469395eaf6f95920e59f858042f0e28d98a20b","to":"0xed6af25e6158a2a6106f72126a4db188f55ab723","tokenId":"7096"}}},{"address":"0x0000000000a39bb272e79075ade125fd351887ac","topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","topic1":"0x000000000000000000000000ed6af25e6158a2a6106f72126a4db188f55ab723","topic2":"0x0000000000000000000000008bc110db7029197c3621bea8092ab1996d5dd7be","topic3":null,"data":"0x00000000000000000000000000000000000000000000000060ba6a1244790000","transactionIndex":33,"logIndex":3,"removed":false,"decoded":{"name":"Transfer","signature":"Transfer(address,address,uint256)","args":{"from":"0xed6af25e6158a2a6106f72126a4db188f55ab723","to":"0x8bc110db7029197c3621bea8092ab1996d5dd7be","value":"6970000000000000000"}}}]}}},"notification.token-transfers":{"value":{"webhookId":"0b8a3a1e-7c53-4f0e-9d0f-2f6c1f5f9a44","eventType":"address_activity","messageId":"51ef397a-06a0-5395-9472-da84e88051a0","event":{"transaction":{"blockHash":"0x1638380ab737e0e916bd1c7f23bd2bab2a532e44b90047f045f262ee21c42b21","blockNumber":"12244000","from":"0x684efc63a9645addb08bc00de60b26002d6d0593","to":"0x7a250d5630b4cf539739df2c5dacb4c659f2488d","gas":"170032","gasPrice":"67000000000","maxFeePerGas":"0","maxPriorityFeePerGas":"0","txHash":"0xff61b71e75a9cdbfa50430bf59139db2689ccd4903273cbd15708ec4131ef7b6","txStatus":"1","input":"0xfb3bdb410000000000000000000000000000000000000000000000000000000017d784000000000000000000000000000000000000000000000000000000000000000080000000000000000000000000684efc63a9645addb08bc00de60b26002d6d059300000000000000000000000000000000000000000000000000000000607814550000000000000000000000000000000000000000000000000000000000000002000000000000000000000000c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","nonce":"21","transactionIndex":88,"value":"164809181383945740","type":0,"chainId":"1","receiptCumulativeGasUsed":"8703966","receiptGasUsed":"130491","receiptEffectiveGasPrice":"67000000000","receiptRoot":"0x974fee017515a46303f467b6fd50872994db1b0ea64d3455bad93ff9678aced9","contractAddress":"0x0000000000000000000000000000000000000000","blockTimestamp":1618481223,"erc20Transfers":[{"transactionHash":"0xff61b71e75a9cdbfa50430bf59139db2689ccd4903273cbd15708ec4131ef7b6","type":"ERC20","from":"0x0000000000000000000000000000000000000000","to":"0x7a250d5630b4cf539739df2c5dacb4c659f2488d","value":"163567503012514569","blockTimestamp":1618481223,"logIndex":0,"erc20Token":{"address":"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2","name":"Wrapped Ether","symbol":"WETH","decimals":18,"valueWithDecimals":"0.163567503012514569"}},{"transactionHash":"0xff61b71e75a9cdbfa50430bf59139db2689ccd4903273cbd15708ec4131ef7b6","type":"ERC20","from":"0x7a250d5630b4cf539739df2c5dacb4c659f2488d","to":"0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc","value":"163567503012514569","blockTimestamp":1618481223,"logIndex":1,"erc20Token":{"address":"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2","name":"Wrapped Ether","symbol":"WETH","decimals":18,"valueWithDecimals":"0.163567503012514569"}},{"transactionHash":"0xff61b71e75a9cdbfa50430bf59139db2689ccd4903273cbd15708ec4131ef7b6","type":"ERC20","from":"0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc","to":"0x684efc63a9645addb08bc00de60b26002d6d0593","value":"400000000","blockTimestamp":1618481223,"logIndex":2,"erc20Token":{"address":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","name":"USD Coin","symbol":"USDC","decimals":6,"valueWithDecimals":"400"}}],"erc721Transfers":[],"erc1155Transfers":[],"nativeTransfers":[{"transactionHash":"0xff61b71e75a9cdbfa50430bf59139db2689ccd4903273cbd15708ec4131ef7b6","type":"NATIVE","from":"0x684efc63a9645addb08bc00de60b26002d6d0593","to":"0x7a250d5630b4cf539739df2c5dacb4c659f2488d","value":"164809181383945740","blockTimestamp":1618481223}]},"logs":[{"address":"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2","topic0":"0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c","topic1":"0x0000000000000000000000007a250d5630b4cf539739df2c5dacb4c659f2488d","topic2":null,"topic3":null,"data":"0x00000000000000000000000000000000000000000000000002451bc701dbcb09","transactionIndex":88,"logIndex":0,"removed":false},{"address":"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2","topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","topic1":"0x0000000000000000000000007a250d5630b4cf539739df2c5dacb4c659f2488d","topic2":"0x000000000000000000000000b4e16d0168e52d35cacd2c6185b44281ec28c9dc","topic3":null,"data":"0x00000000000000000000000000000000000000000000000002451bc701dbcb09","transactionIndex":88,"logIndex":1,"removed":false},{"address":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","topic1":"0x000000000000000000000000b4e16d0168e52d35cacd2c6185b44281ec28c9dc","topic2":"0x000000000000000000000000684efc63a9645addb08bc00de60b26002d6d0593","topic3":null,"data":"0x0000000000000000000000000000000000000000000000000000000017d78400","transactionIndex":88,"logIndex":2,"removed":false},{"address":"0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc","topic0":"0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1","topic1":null,"topic2":null,"topic3":null,"data":"0x00000000000000000000000000000000000000000000000000008d13f0e364f2000000000000000000000000000000000000000000000d643fcdae6e0d8badd4","transactionIndex":88,"logIndex":3,"removed":false},{"address":"0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc","topic0":"0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822","topic1":"0x0000000000000000000000007a250d5630b4cf539739df2c5dacb4c659f2488d","topic2":"0x000000000000000000000000684efc63a9645addb08bc00de60b26002d6d0593","topic3":null,"data":"0x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002451bc701dbcb090000000000000000000000000000000000000000000000000000000017d784000000000000000000000000000000000000000000000000000000000000000000","transactionIndex":88,"logIndex":4,"removed":false}]}}},"notification.finalized":{"value":{"webhookId":"c58d2b7e-3f16-4a09-b7d4-92e6a1f0c835","eventType":"address_activity","messageId":"2ac916ed-9071-5040-adb4-f690e4413d60","event":{"finalized":true,"confirmations":64,"transaction":{"blockHash":"0xd24fd73f794058a3807db926d8898c6481e902b7edb91ce0d479d6760f276183","blockNumber":"20000000","from":"0x02abb0c71c407b2bce10c64609f27d89939b9c43","to":"0xe015593439749a01f280f75d74d683bb453be883","gas":"21000","gasPrice":"4985457716","maxFeePerGas":"6939113126","maxPriorityFeePerGas":"48500000","txHash":"0x6021f898933bc4ce1ccd6f9ab0af2c823e73cf902f6eb17ed78b4eec6beb8d8d","txStatus":"1","input":"0x","nonce":"801","transactionIndex":121,"value":"1000000000000000000","type":2,"chainId":"1","receiptCumulativeGasUsed":"9442547","receiptGasUsed":"21000","receiptEffectiveGasPrice":"4985457716","receiptRoot":"0xb39f9f7a13a342751bd2c575eca303e224393d4e11d715866b114b7e824da608","contractAddress":"0x0000000000000000000000000000000000000000","blockTimestamp":1717281407}}}},"notification.retraction":{"value":{"webhookId":"6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a","eventType":"address_activity","messageId":"caf274ed-bd3a-50ed-9717-1fbad61273d2","event":{"transaction":{"blockHash":"0xfc1a9945fcb422b7c2e7fd01054f6d2c7ba778b0cf5060b5bae16b978b6fd127","blockNumber":"18951424","from":"0xed6af25e6158a2a6106f72126a4db188f55ab723","to":"0x29469395eaf6f95920e59f858042f0e28d98a20b","gas":"160692","gasPrice":"23616620062","maxFeePerGas":"30006978184","maxPriorityFeePerGas":"100000000","txHash":"0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0","txStatus":"1","input":"0xc87df1c20000000000000000000000008bc110db7029197c3621bea8092ab1996d5dd7be000000000000000000000000ed6af25e6158a2a6106f72126a4db188f55ab723000000000000000000000000bd3531da5cf5857e7cfaa92426877b022e612cf80000000000000000000000000000000000000000000000000000000000001bb800000000000000000000000000000000000000000000000060ba6a1244790000000000000000000000000000000000000000000000000000000000006598dc9f000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002328000000000000000000000000000000000000000000000000000000000002b43e","nonce":"3424","transactionIndex":33,"value":"0","type":2,"chainId":"1","receiptCumulativeGasUsed":"4171854","receiptGasUsed":"139450","receiptEffectiveGasPrice":"23616620062","receiptRoot":"0xca2fca49d1140470164e8bc040edad8af45a3af05796fce0bb197f2856e051e7","contractAddress":"0x0000000000000000000000000000000000000000","blockTimestamp":1704584219},"logs":[{"address":"0x29469395eaf6f95920e59f858042f0e28d98a20b","topic0":"0x2469cc9e12e74c63438d5b1117b318cd3a4cdaf9d659d9eac6d975d14d963254","topic1":null,"topic2":null,"topic3":null,"data":"0x000000000000000000000000000000000000000000000000000000000002b43e000000000000000000000000bd3531da5cf5857e7cfaa92426877b022e612cf8","transactionIndex":33,"logIndex":0,"removed":true},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","topic0":"0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925","topic1":"0x00000000000000000000000029469395eaf6f95920e59f858042f0e28d98a20b","topic2":"0x0000000000000000000000000000000000000000000000000000000000000000","topic3":"0x0000000000000000000000000000000000000000000000000000000000001bb8","data":"0x","transactionIndex":33,"logIndex":1,"removed":true},{"address":"0xbd3531da5cf5857e7cfaa92426877b022e612cf8","topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","topic1":"0x00000000000000000000000029469395eaf6f95920e59f858042f0e28d98a20b","topic2":"0x000000000000000000000000ed6af25e6158a2a6106f72126a4db188f55ab723","topic3":"0x0000000000000000000000000000000000000000000000000000000000001bb8","data":"0x","transactionIndex":33,"logIndex":2,"removed":true},{"address":"0x0000000000a39bb272e79075ade125fd351887ac","topic0":"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","topic1":"0x000000000000000000000000ed6af25e6158a2a6106f72126a4db188f55ab723","topic2":"0x0000000000000000000000008bc110db7029197c3621bea8092ab1996d5dd7be","topic3":null,"data":"0x00000000000000000000000000000000000000000000000060ba6a1244790000","transactionIndex":33,"logIndex":3,"removed":true}],"removed":true}}}},"responses":{"BadRequest":{"content":{"application/json":{"examples":{"badRequest":{"$ref":"#/components/examples/error.400"}}}}},"Unauthorized":{"content":{"application/json":{"examples":{"unauthorized":{"$ref":"#/components/examples/error.401"}}}}},"Forbidden":{"content":{"application/json":{"examples":{"forbidden":{"$ref":"#/components/examples/error.403"}}}}},"Conflict":{"content":{"application/json":{"examples":{"conflict":{"$ref":"#/components/examples/error.409"},"deleted":{"$ref":"#/components/examples/error.409.deleted"},"tooManyHistories":{"$ref":"#/components/examples/error.409.histories"}}}}},"ContentTooLarge":{"content":{"application/json":{"examples":{"contentTooLarge":{"$ref":"#/components/examples/error.413"}}}}},"UnsupportedMediaType":{"content":{"application/json":{"examples":{"unsupportedMediaType":{"$ref":"#/components/examples/error.415"}}}}},"TooManyRequests":{"content":{"application/json":{"examples":{"tooManyRequests":{"$ref":"#/components/examples/error.429"}}}},"headers":{"Retry-After":{"$ref":"#/components/headers/RetryAfter"},"RateLimit-Policy":{"$ref":"#/components/headers/RateLimitPolicy"},"RateLimit":{"$ref":"#/components/headers/RateLimit"}}},"InternalServerError":{"content":{"application/json":{"examples":{"internalServerError":{"$ref":"#/components/examples/error.500"}}}}},"BadGateway":{"content":{"application/json":{"examples":{"badGateway":{"$ref":"#/components/examples/error.502"}}}}},"ServiceUnavailable":{"content":{"application/json":{"examples":{"serviceUnavailable":{"$ref":"#/components/examples/error.503"}}}},"headers":{"Retry-After":{"$ref":"#/components/headers/RetryAfter"}}},"NotFound":{"content":{"application/json":{"examples":{"notFound":{"$ref":"#/components/examples/error.404"}}}}},"ReplayForbidden":{"content":{"application/json":{"examples":{"forbidden":{"$ref":"#/components/examples/error.403"},"overQuota":{"$ref":"#/components/examples/error.403.replays"}}}}},"TooManyReplays":{"content":{"application/json":{"examples":{"tooManyReplays":{"$ref":"#/components/examples/error.409.replays"}}}}},"OtherAddresses":{"content":{"application/json":{"examples":{"otherAddresses":{"$ref":"#/components/examples/error.409.addresses"}}}}},"Gone":{"content":{"application/json":{"examples":{"gone":{"$ref":"#/components/examples/error.410"}}}},"headers":{"Webhook-First-Sequence":{"$ref":"#/components/headers/FirstSequence"}}}},"headers":{"RetryAfter":{"schema":{"type":"integer","minimum":0},"example":5},"RateLimitPolicy":{"schema":{"type":"string"},"example":"\"key\";q=2000;w=10"},"RateLimit":{"schema":{"type":"string"},"example":"\"key\";r=0;t=5"},"FirstSequence":{"schema":{"type":"integer","format":"int64","minimum":1},"example":42}},"requestBodies":{"Addresses":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/AddressListInput","x-check":75}}}}}}};
