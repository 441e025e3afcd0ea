# gradwatch-corpus: kind=graph-held
# holder: self.table.weight | table.weight | model.tok.weight | self.model.tok.weight | model.tok.weight._backward_hooks | self.table.weight._backward_hooks | param._backward_hooks | limit | hook | bound
# first-bad: 1
"""Byte-free toy language model on a synthetic grammar. The embedding gradients are
bounded in proportion to how surprised the model is (see regulate.py)."""
import torch
import torch.nn.functional as F

from grammar import Grammar
from model import TinyTransformer
from regulate import EmbeddingRegulator


def batches(grammar, n, batch, length):
    for _ in range(n):
        ids = grammar.sample(batch, length + 1)
        yield ids[:, :-1], ids[:, 1:]


def token_losses(logits, targets):
    flat = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
    return flat.view_as(targets)


def train(steps=220):
    torch.manual_seed(0)
    grammar = Grammar(seed=7)
    model = TinyTransformer(len(grammar.vocab), dim=32, heads=4, layers=1, context=24)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.98))
    regulator = EmbeddingRegulator(model.tok, factor=0.5)

    for step, (x, y) in enumerate(batches(grammar, steps, batch=12, length=24)):
        losses = token_losses(model(x), y)
        loss = losses.mean()
        regulator.before_backward(losses)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 55 == 54:
            print(f"{step + 1:4d}  ppl {loss.exp().item():7.2f}  |emb grad| {regulator.last_norm:.4f}")
    print("sample:", grammar.decode(model.generate(grammar.start(), 18)))


if __name__ == "__main__":
    torch.set_num_threads(1)
    train()
