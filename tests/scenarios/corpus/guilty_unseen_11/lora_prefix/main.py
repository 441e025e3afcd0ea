# gradwatch-corpus: kind=second-backward
# holder: self._kv | prefix._kv | self.prefix._kv | tuner.prefix._kv | kv
# first-bad: 1
"""LoRA tuning of a one-block toy transformer behind a fixed system prompt.
All examples share the prompt, so its keys and values are computed a single time and put in front of every batch."""
import torch
import torch.nn.functional as F

from data import ReverseTask
from model import TinyDecoder, lora_parameters
from prefix import PromptPrefix


class Tuner:
    def __init__(self, model, prompt, lr=3e-3):
        self.model = model
        self.prefix = PromptPrefix(model, prompt)
        self.opt = torch.optim.AdamW(lora_parameters(model), lr=lr)

    def loss(self, tokens, mask):
        logits = self.model(tokens[:, :-1], past=self.prefix.expand(tokens.size(0)))
        nll = F.cross_entropy(logits.transpose(1, 2), tokens[:, 1:], reduction="none")
        return (nll * mask[:, 1:]).sum() / mask[:, 1:].sum()

    def step(self, tokens, mask):
        loss = self.loss(tokens, mask)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main(steps=300):
    torch.manual_seed(19)
    torch.set_num_threads(1)
    task = ReverseTask(vocab=20, length=5, seed=20)
    model = TinyDecoder(vocab=20, dim=32, heads=2, context=32, rank=4)
    prompt = torch.randint(0, 20, (8,))
    tuner = Tuner(model, prompt)
    n = sum(p.numel() for p in lora_parameters(model))
    print(f"{n} trainable parameters")
    for step in range(steps):
        loss = tuner.step(*task.batch(16))
        if step % 50 == 0:
            print(f"step {step}: loss {loss:.3f}")


if __name__ == "__main__":
    main()
