# gradwatch-corpus: kind=second-backward
# holder: self._by_length | self.bias._by_length | model.bias._by_length
# first-bad: 6
import torch

from lm import RelPosLM
from streams import ragged_batches


def main():
    torch.manual_seed(4)
    torch.set_num_threads(1)
    model = RelPosLM(vocab=20)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    running = None
    for step, tokens in enumerate(ragged_batches(vocab=20, total=120)):
        loss = model.loss(tokens)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        running = loss.item() if running is None else 0.9 * running + 0.1 * loss.item()
        if step % 3 == 0:
            print(f"step {step} len {tokens.size(1)} loss {running:.3f}")


if __name__ == "__main__":
    main()
