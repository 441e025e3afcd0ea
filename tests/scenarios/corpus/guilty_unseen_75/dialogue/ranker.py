import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .instrument import probed


class DualEncoder(nn.Module):
    def __init__(self, vocab: int, width: int) -> None:
        super().__init__()
        self.tokens = nn.Embedding(vocab, width, padding_idx=0)
        self.turns = nn.GRU(width, width, batch_first=True)
        self.response = nn.Linear(width, width)
        self.log_scale = nn.Parameter(torch.tensor(1.0))

    def encode_context(self, context: Tensor) -> Tensor:
        turns = self.tokens(context).mean(2)
        return self.turns(turns)[1][0]

    def encode_response(self, response: Tensor) -> Tensor:
        return self.response(self.tokens(response).mean(1))

    def forward(self, context: Tensor, response: Tensor) -> Tensor:
        c = F.normalize(self.encode_context(context), dim=-1)
        r = F.normalize(self.encode_response(response), dim=-1)
        return self.log_scale.exp() * c @ r.t()

    @probed("response.nll")
    def nll(self, context: Tensor, response: Tensor) -> Tensor:
        scores = self(context, response)
        return F.cross_entropy(scores, torch.arange(len(scores)))

    @probed("response.recall")
    @torch.no_grad()
    def recall(self, context: Tensor, response: Tensor) -> float:
        hits = self(context, response).argmax(-1) == torch.arange(len(context))
        return hits.float().mean().item()
