# gradwatch-corpus: kind=none
"""Card-fraud scoring: each transaction attends to the account's latest transactions,
and the keys of those are trained through the attention."""
import torch

from memory import KeyMemory
from scorer import Scorer
from transactions import Account

torch.set_num_threads(1)
torch.manual_seed(12)


def main():
    account = Account(seed=5)
    scorer = Scorer(features=7, dim=12, memory=KeyMemory(span=10))
    opt = torch.optim.Adam(scorer.parameters(), lr=5e-3)
    seen = right = 0
    for step in range(380):
        x, fraud = account.next()
        logit = scorer(x)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logit, fraud)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        scorer.remember(x)
        seen += 1
        right += int((logit > 0) == (fraud > 0.5))
        if step % 76 == 75:
            print(f"step {step + 1:3d} loss {loss.item():.3f} acc {right / seen:.3f} "
                  f"memory {len(scorer.memory)}")
            seen = right = 0


if __name__ == "__main__":
    main()
