// d3-dsv 3.0.2 (npm: dist/d3-dsv.min.js without its first line, between the lines that make it a module). It reads the
// rows of a text with separators and quotes; of what it has we use `dsvFormat(separator).parseRows(text)`. Its licence,
// ISC:
//
// Copyright 2013-2026 Mike Bostock
//
// Permission to use, copy, modify, and/or distribute this software for any purpose
// with or without fee is hereby granted, provided that the above copyright notice
// and this permission notice appear in all copies.
//
// THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
// REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
// FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
// INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
// OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
// TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
// THIS SOFTWARE.

export const d3 = (() => {
const exports = {}, module = { exports }, define = null;
!function(t,r){"object"==typeof exports&&"undefined"!=typeof module?r(exports):"function"==typeof define&&define.amd?define(["exports"],r):r((t="undefined"!=typeof globalThis?globalThis:t||self).d3=t.d3||{})}(this,function(t){"use strict";var r={},e={};function n(t){return new Function("d","return {"+t.map(function(t,r){return JSON.stringify(t)+": d["+r+'] || ""'}).join(",")+"}")}function o(t){var r=Object.create(null),e=[];return t.forEach(function(t){for(var n in t)n in r||e.push(r[n]=n)}),e}function a(t,r){var e=t+"",n=e.length;return n<r?new Array(r-n+1).join(0)+e:e}function u(t){var r,e=t.getUTCHours(),n=t.getUTCMinutes(),o=t.getUTCSeconds(),u=t.getUTCMilliseconds();return isNaN(t)?"Invalid Date":((r=t.getUTCFullYear())<0?"-"+a(-r,6):r>9999?"+"+a(r,6):a(r,4))+"-"+a(t.getUTCMonth()+1,2)+"-"+a(t.getUTCDate(),2)+(u?"T"+a(e,2)+":"+a(n,2)+":"+a(o,2)+"."+a(u,3)+"Z":o?"T"+a(e,2)+":"+a(n,2)+":"+a(o,2)+"Z":n||e?"T"+a(e,2)+":"+a(n,2)+"Z":"")}function i(t){var a=new RegExp('["'+t+"\n\r]"),i=t.charCodeAt(0);function f(t,n){var o,a=[],u=t.length,f=0,s=0,c=u<=0,l=!1;function d(){if(c)return e;if(l)return l=!1,r;var n,o,a=f;if(34===t.charCodeAt(a)){for(;f++<u&&34!==t.charCodeAt(f)||34===t.charCodeAt(++f););return(n=f)>=u?c=!0:10===(o=t.charCodeAt(f++))?l=!0:13===o&&(l=!0,10===t.charCodeAt(f)&&++f),t.slice(a+1,n-1).replace(/""/g,'"')}for(;f<u;){if(10===(o=t.charCodeAt(n=f++)))l=!0;else if(13===o)l=!0,10===t.charCodeAt(f)&&++f;else if(o!==i)continue;return t.slice(a,n)}return c=!0,t.slice(a,u)}for(10===t.charCodeAt(u-1)&&--u,13===t.charCodeAt(u-1)&&--u;(o=d())!==e;){for(var m=[];o!==r&&o!==e;)m.push(o),o=d();n&&null==(m=n(m,s++))||a.push(m)}return a}function s(r,e){return r.map(function(r){return e.map(function(t){return l(r[t])}).join(t)})}function c(r){return r.map(l).join(t)}function l(t){return null==t?"":t instanceof Date?u(t):a.test(t+="")?'"'+t.replace(/"/g,'""')+'"':t}return{parse:function(t,r){var e,o,a=f(t,function(t,a){if(e)return e(t,a-1);o=t,e=r?function(t,r){var e=n(t);return function(n,o){return r(e(n),o,t)}}(t,r):n(t)});return a.columns=o||[],a},parseRows:f,format:function(r,e){return null==e&&(e=o(r)),[e.map(l).join(t)].concat(s(r,e)).join("\n")},formatBody:function(t,r){return null==r&&(r=o(t)),s(t,r).join("\n")},formatRows:function(t){return t.map(c).join("\n")},formatRow:c,formatValue:l}}var f=i(","),s=f.parse,c=f.parseRows,l=f.format,d=f.formatBody,m=f.formatRows,v=f.formatRow,p=f.formatValue,h=i("\t"),w=h.parse,g=h.parseRows,C=h.format,T=h.formatBody,R=h.formatRows,F=h.formatRow,y=h.formatValue;const A=new Date("2019-01-01T00:00").getHours()||new Date("2019-07-01T00:00").getHours();t.autoType=function(t){for(var r in t){var e,n,o=t[r].trim();if(o)if("true"===o)o=!0;else if("false"===o)o=!1;else if("NaN"===o)o=NaN;else if(isNaN(e=+o)){if(!(n=o.match(/^([-+]\d{2})?\d{4}(-\d{2}(-\d{2})?)?(T\d{2}:\d{2}(:\d{2}(\.\d{3})?)?(Z|[-+]\d{2}:\d{2})?)?$/)))continue;A&&n[4]&&!n[7]&&(o=o.replace(/-/g,"/").replace(/T/," ")),o=new Date(o)}else o=e;else o=null;t[r]=o}return t},t.csvFormat=l,t.csvFormatBody=d,t.csvFormatRow=v,t.csvFormatRows=m,t.csvFormatValue=p,t.csvParse=s,t.csvParseRows=c,t.dsvFormat=i,t.tsvFormat=C,t.tsvFormatBody=T,t.tsvFormatRow=F,t.tsvFormatRows=R,t.tsvFormatValue=y,t.tsvParse=w,t.tsvParseRows=g});
return exports;
})();
