"""Many inputs at once: keys to rows, on this machine's cores or on a Dask cluster, in files that resume."""

from hanasolve.batch.grid import Grid, Key, Row
from hanasolve.batch.run import BatchRun, run_batch

__all__ = ["BatchRun", "Grid", "Key", "Row", "run_batch"]
