from mpi4py import MPI
c=MPI.COMM_WORLD
r=c.Get_rank(); n=c.Get_size()
for k in range(10):
    s=c.allreduce(r); assert s==n*(n-1)//2
    l=c.allgather({'r':r}); assert [x['r'] for x in l]==list(range(n))
    a=bytearray(8); a[0]=r
    b=bytearray(8*n)
    c.Allgather(a,b); assert [b[8*i] for i in range(n)]==list(range(n))
    x=c.bcast('hello'*1000 if r==1 else None, root=1); assert len(x)==5000
    c.Barrier()
d=c.Split(r%2,r)
for k in range(5): assert d.allreduce(1)==d.Get_size()
if r==0: print('as expected')
