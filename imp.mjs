import module from "node:module"
module.enableCompileCache?.(process.env.CC || undefined)
import { setFlagsFromString } from "node:v8"
setFlagsFromString("--heap-growing-percent=30")
const seen=[]
module.registerHooks({load(u,c,n){seen.push(u);return n(u,c)}})
const mb=()=>{globalThis.gc?.();const m=process.memoryUsage();return `rss ${(m.rss/2**20).toFixed(1)} heap ${(m.heapUsed/2**20).toFixed(1)}/${(m.heapTotal/2**20).toFixed(1)} ext ${(m.external/2**20).toFixed(1)}`}
console.log("start",mb())
for(const a of process.argv.slice(2)){const n=seen.length;await import(a.startsWith("/")?a:a.startsWith("src")?process.cwd()+"/"+a:import.meta.resolve?.(a)??a);console.log(a,mb(),seen.length-n,"modules")}
if(process.env.LIST){const g={};for(const u of seen){const m=/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(u);const k=m?m[1]:(/src\/([^/]+)/.exec(u)?.[1]??u);g[k]=(g[k]??0)+1};console.log(g)}
if(process.env.LISTALL)console.log(seen.join("\n"))
