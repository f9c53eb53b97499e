import itertools, os
here = os.path.dirname(os.path.abspath(__file__))
TYPES = {
 # name: (wmma type, storage, accumulators, shapes)
 'half': ('half','half',['float','half'],[(16,16,16),(32,8,16),(8,32,16)]),
 'bf16': ('__nv_bfloat16','__nv_bfloat16',['float'],[(16,16,16),(32,8,16),(8,32,16)]),
 's8': ('signed char','signed char',['int'],[(16,16,16),(32,8,16),(8,32,16)]),
 'u8': ('unsigned char','unsigned char',['int'],[(16,16,16)]),
 'tf32': ('wmma::precision::tf32','float',['float'],[(16,16,8)]),
 'f64': ('double','double',['double'],[(8,8,4)]),
}
SIZE={'half':2,'__nv_bfloat16':2,'signed char':1,'unsigned char':1,'float':4,'double':8,'int':4}
head = '#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <mma.h>\n#include <cstdio>\nusing namespace nvcuda;\n'
k=0
meta=[]
for name,(wt,st,accs,shapes) in TYPES.items():
    text=head; launches=''
    dumps=''; dumpl=''
    for acc in accs:
        for (m,n,kk) in shapes:
            for la,lb in itertools.product(['row','col'],['row','col']):
                lc = la
                for space in ['shared','global','runtime']:
                    if space=='runtime' and la!=lb: continue
                    for pad in ([0,16//SIZE[st]] if space=='shared' else [0]):
                        cpad = 0 if pad==0 else 16//SIZE[acc]
                        lda=(kk if la=='row' else m)+pad
                        ldb=(n if lb=='row' else kk)+pad
                        ldc=(n if lc=='row' else m)+cpad
                        # double and int8 want ldm multiple of 16 bytes
                        up=lambda x,s: -(-x*s//16)*16//s
                        lda,ldb=up(lda,SIZE[st]),up(ldb,SIZE[st]); ldc=up(ldc,SIZE[acc])
                        ra=(m if la=='row' else kk)*lda; rb=(kk if lb=='row' else n)*ldb; rc=(m if lc=='row' else n)*ldc
                        fn=f'k{k}'; k+=1
                        LA,LB,LC=(lda,ldb,ldc) if space!='runtime' else ('lda','ldb','ldc')
                        t=[f'__global__ void {fn}(const {st}* a, const {st}* b, const {acc}* c, {acc}* d, int lda, int ldb, int ldc) {{']
                        if space!='global' and space!='runtime':
                            t+=[f'  __shared__ __align__(128) {st} sa[{ra}];',f'  __shared__ __align__(128) {st} sb[{rb}];',f'  __shared__ __align__(128) {acc} sc[{rc}];']
                            t+=[f'  for (int i = threadIdx.x; i < {ra}; i += 32) sa[i] = a[i];',f'  for (int i = threadIdx.x; i < {rb}; i += 32) sb[i] = b[i];',f'  for (int i = threadIdx.x; i < {rc}; i += 32) sc[i] = c[i];','  __syncthreads();']
                            A,B,C,D='sa','sb','sc','sc'
                        else: A,B,C,D='a','b','c','d'
                        t+=[f'  wmma::fragment<wmma::matrix_a,{m},{n},{kk},{wt},wmma::{la}_major> fa;',f'  wmma::fragment<wmma::matrix_b,{m},{n},{kk},{wt},wmma::{lb}_major> fb;',f'  wmma::fragment<wmma::accumulator,{m},{n},{kk},{acc}> fc;']
                        base=text.count('\n')+1
                        def line(): return base+len(t)
                        L={}
                        L['a']=line(); t.append(f'  wmma::load_matrix_sync(fa, {A}, {LA});')
                        L['b']=line(); t.append(f'  wmma::load_matrix_sync(fb, {B}, {LB});')
                        L['c']=line(); t.append(f'  wmma::load_matrix_sync(fc, {C}, {LC}, wmma::mem_{lc}_major);')
                        L['mma']=line(); t.append('  wmma::mma_sync(fc, fa, fb, fc);')
                        if space=='shared': t.append('  __syncthreads();')
                        L['d']=line(); t.append(f'  wmma::store_matrix_sync({D}, fc, {LC}, wmma::mem_{lc}_major);')
                        if space=='shared': t+=['  __syncthreads();',f'  for (int i = threadIdx.x; i < {rc}; i += 32) d[i] = sc[i];']
                        t.append('}')
                        text+='\n'.join(t)+'\n'
                        launches+=f'  {fn}<<<1,32>>>(({st}*)buf,({st}*)(buf+65536),({acc}*)(buf+131072),({acc}*)(buf+196608),{lda},{ldb},{ldc});\n'
                        meta.append(dict(kernel=fn,type=name,acc=acc,shape=[m,n,kk],la=la,lb=lb,lc=lc,space=space,lda=lda,ldb=ldb,ldc=ldc,lines=L))
            # dumps
            def dump(use,el,store_t,lay,rows,cols,frag,args):
                global k
                fn=f'dump{k}'; k+=1
                ld=cols if lay=='row' else rows
                ld=-(-ld*SIZE[store_t]//16)*16//SIZE[store_t]
                tot=(rows if lay=='row' else cols)*ld
                body=f'''__global__ void {fn}(const char* raw, double* out) {{
  {frag} f;
  wmma::load_matrix_sync(f, (const {store_t}*)raw, {ld}{args});
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}}
'''
                # f64 / float / int values = index; 16-bit raw index; 8-bit two passes
                passes = [0,8] if SIZE[store_t]==1 else [0]
                l=''
                for p in passes:
                    l+=f'  fill<{store_t}>((char*)buf, {tot}, {p}); cudaMemset(out,0,65536); {fn}<<<1,32>>>((char*)buf,(double*)out); show("{name} {acc} {m}x{n}x{kk} {use} {lay} ld={ld} pass={p}", (double*)out);\n'
                return body,l
            for lay in ['row','col']:
                if acc==accs[0]:
                    b_,l_=dump('a',wt,st,lay,m,kk,f'wmma::fragment<wmma::matrix_a,{m},{n},{kk},{wt},wmma::{lay}_major>',''); dumps+=b_; dumpl+=l_
                    b_,l_=dump('b',wt,st,lay,kk,n,f'wmma::fragment<wmma::matrix_b,{m},{n},{kk},{wt},wmma::{lay}_major>',''); dumps+=b_; dumpl+=l_
                b_,l_=dump('c',acc,acc,lay,m,n,f'wmma::fragment<wmma::accumulator,{m},{n},{kk},{acc}>',f', wmma::mem_{lay}_major'); dumps+=b_; dumpl+=l_
    main=f'''int main() {{ char* buf; cudaMalloc(&buf, 1<<20); cudaMemset(buf,0,1<<20);
{launches}  printf("%s\\n", cudaGetErrorString(cudaDeviceSynchronize())); }}
'''
    open(f'{here}/w_{name}.cu','w').write(text+main)
    helper='''
__device__ double number(half v) { return (double)*(unsigned short*)&v; }
__device__ double number(__nv_bfloat16 v) { return (double)*(unsigned short*)&v; }
__device__ double number(signed char v) { return (double)(unsigned char)v; }
__device__ double number(unsigned char v) { return (double)v; }
__device__ double number(float v) { return (double)v; }
__device__ double number(int v) { return (double)v; }
__device__ double number(double v) { return v; }
template <typename T> void fill(char* buf, int n, int shift) {
  static char host[1<<16];
  for (int i = 0; i < n; i++) {
    if (sizeof(T) == 8) ((double*)host)[i] = i;
    else if (sizeof(T) == 4) { if (T(0.5) == T(0)) ((int*)host)[i] = i; else ((float*)host)[i] = i; }
    else if (sizeof(T) == 2) ((unsigned short*)host)[i] = i;
    else host[i] = (i >> shift) & 255;
  }
  cudaMemcpy(buf, host, n * sizeof(T), cudaMemcpyHostToDevice);
}
void show(const char* name, double* out) {
  static double host[8192]; cudaMemcpy(host, out, 65536, cudaMemcpyDeviceToHost);
  int n = (int)host[4092]; printf("%s n=%d:", name, n);
  for (int i = 0; i < 32 * n; i++) printf(" %d", (int)host[i]);
  printf("\\n");
}
'''
    open(f'{here}/d_{name}.cu','w').write(head+helper+dumps+f'int main() {{ char* buf; double* out; cudaMalloc(&buf, 1<<20); cudaMalloc(&out, 1<<16);\n{dumpl}}}\n')
import json
json.dump(meta,open(f'{here}/meta.json','w'))
print(len(meta))
