"""Where the agent touches the framework; torch's private names stand in this package alone.

Owns the patch of the autograd engine's entry, the optimizers' hook, and every look at a graph
node's inside. Must not know what is done with it: a `Listener` is told, and asked nothing.

Private names used, all seen in torch 2.4 to 2.13, and what the agent does without them:
  torch.autograd._engine_run_backward   the one call that backward() and grad() both make;
                                        without it the agent refuses to start
  torch._C._current_graph_task_id       tells a backward inside a backward (checkpointing);
                                        without it the agent refuses to start
  torch._C._autograd._get_sequence_nr   the counter that numbers nodes, one for each thread;
                                        without it the agent refuses to start
  Node._raw_saved_*                     saved tensors, read without unpacking (no hook runs);
                                        without them saved memory reads as 0
  SavedTensor.register_hooks            refuses what was freed in words of its own; without them
                                        a second backward is told only once it has failed
  torch.fx.traceback.format_stack       what anomaly mode writes into each new node; without it the
                                        lines of graphs that died unreached are not known
  torch._dynamo.eval_frame.cached_backends, torch._dynamo.utils.counters
                                        whether something is compiled; without them lines are traced
                                        in compiled programs, too
  torch._C._FunctionBase                the base of custom Functions
  _forward_cls of a node's class        the custom Function that made it; without it what its
                                        forward changes in place has no line
  RemovableHandle.hooks_dict_ref        where the optimizers' hook lies, to be put aside for a
                                        while; without it the agent refuses to start
  RemovableHandle.next_id               how many hooks were ever registered; without it those that
                                        pile up are told by the memory they keep alone
  torch._C._storage_Use_Count           how many tensors are of one storage; without it each view
                                        counts as the only one
  Optimizer.step.hooked                 set once an optimizer of the class was made;
                                        without it the first iterations end at each backward
"""

from __future__ import annotations

from gradwatch_agent.torch_seam.compiling import compiles
from gradwatch_agent.torch_seam.engine import Seam, UnsupportedTorch, require_torch
from gradwatch_agent.torch_seam.handles import Registrations, hooks_made
from gradwatch_agent.torch_seam.listener import Lane, Listener, Pass
from gradwatch_agent.torch_seam.nodes import (
    LEAF,
    Context,
    Node,
    forward_of,
    graph_of,
    has_readable_node,
    is_outdated_leaf,
    is_there,
    leaf_storage,
    plainly,
    roots_of,
    sequence_number,
    sequence_of,
    storage_of,
    version_of,
    weights_at,
)
from gradwatch_agent.torch_seam.notes import write_notes, write_tracebacks
from gradwatch_agent.torch_seam.refusals import (
    INPLACE,
    NO_GRAPH,
    SECOND_TIME,
    is_out_of_memory,
)
from gradwatch_agent.torch_seam.rungs import edges, numbered_edges, only_edge, outputs_read
from gradwatch_agent.torch_seam.saved import (
    changes_since,
    holds_saved,
    is_freed,
    is_outdated,
    must_fail,
    outdated,
    saved_storages,
    saves,
    saves_in,
)
from gradwatch_agent.torch_seam.steps import Steps, living_optimizers, optimizer_exists, stepped_by
from gradwatch_agent.torch_seam.views import bytes_of

__all__ = [
    "INPLACE",
    "LEAF",
    "NO_GRAPH",
    "SECOND_TIME",
    "Context",
    "Lane",
    "Listener",
    "Node",
    "Pass",
    "Registrations",
    "Seam",
    "Steps",
    "UnsupportedTorch",
    "bytes_of",
    "changes_since",
    "compiles",
    "edges",
    "forward_of",
    "graph_of",
    "has_readable_node",
    "holds_saved",
    "hooks_made",
    "is_freed",
    "is_out_of_memory",
    "is_outdated",
    "is_outdated_leaf",
    "is_there",
    "leaf_storage",
    "living_optimizers",
    "must_fail",
    "numbered_edges",
    "only_edge",
    "optimizer_exists",
    "outdated",
    "outputs_read",
    "plainly",
    "require_torch",
    "roots_of",
    "saved_storages",
    "saves",
    "saves_in",
    "sequence_number",
    "sequence_of",
    "stepped_by",
    "storage_of",
    "version_of",
    "weights_at",
    "write_notes",
    "write_tracebacks",
]
