import torch
from torch import nn


class NodeMemory(nn.Module):
    """Leaky per-node memory, written by encoded messages."""

    def __init__(self, n_nodes, d_msg, d_mem, decay=0.85):
        super().__init__()
        self.shape = (n_nodes, d_mem)
        self.decay = decay
        self.encode = nn.Linear(d_msg, d_mem)
        self.reset()

    def reset(self):
        self.state = torch.zeros(self.shape)

    def update(self, nodes, msg):
        new = self.decay * self.state[nodes] + (1 - self.decay) * torch.tanh(self.encode(msg))  # <- culprit
        self.state = self.state.index_copy(0, nodes, new)  # <- culprit
