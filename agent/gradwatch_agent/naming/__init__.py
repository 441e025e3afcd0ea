"""The names by which a running program holds its tensors: a bounded search over its objects.

Nothing it meets is kept when it returns, and none of it is asked anything: no code of the
user's runs, were it only a __repr__. Must not know what is concluded.
"""

from gradwatch_agent.naming.callables import ON_A_TENSOR
from gradwatch_agent.naming.found import Found
from gradwatch_agent.naming.modules import own_files
from gradwatch_agent.naming.paths import Path
from gradwatch_agent.naming.search import search, search_orphans

__all__ = ["ON_A_TENSOR", "Found", "Path", "own_files", "search", "search_orphans"]
