import { it } from "vitest";
import * as B from "./build.ts";
import { int32, float32 } from "../../server/src/ir/type.ts";
it("bench",()=>{
 for(let r=0;r<8;r++){
 const o=B.pointer("o"); const n=B.variable("n",int32);
 const s=B.shared("s",4096); const k=B.variable("k",int32), j=B.variable("j",int32), m=B.variable("m",int32);
 const sum=B.variable("sum",float32);
 const body=B.evaluate(B.assign(sum,B.add(B.read(sum),{kind:"binary",operator:"*",type:float32,left:B.element(s,B.add(B.times(B.tid,32),B.add(B.read(j),B.times(B.read(k),32))),1),right:B.element(s,B.add(B.times(B.read(m),4),B.times(B.read(k),64)),2)})));
 const kern=B.kernel([o,n],[B.declare(s),B.declare(sum,{kind:"constant",type:float32,value:0}),...B.loop(k,B.int(16),[...B.loop(j,B.int(8),B.loop(m,B.int(8),[body]))]),B.store(o,B.tid,B.read(sum),3)]);
 const t=performance.now(); const d=B.generated(kern); console.log((performance.now()-t).toFixed(1),"ms",B.accessesOf(d).length);
 }
});
