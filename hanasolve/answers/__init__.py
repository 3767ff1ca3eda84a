"""One file a question: the function that asks it, the frozen dataclass it returns, and that answer's record.

The command line, the Python API and the pages are skins over these functions; nothing here prints. What is heavy
(numpy, numba, pandas, OR-tools) is imported inside the functions, so that options are read without it.
"""
