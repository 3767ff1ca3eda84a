"""``python -m hanasolve``."""

import sys

from hanasolve.cli.app import main

sys.exit(main())
