# gradwatch-corpus: kind=second-backward
# holder: filters | self.filters | self.frontend.filters | model.frontend.filters
# first-bad: 1
# notice: 0
import torch
import torch.nn.functional as F

from audio import tone_batches
from sinc import SincClassifier

torch.set_num_threads(1)
torch.manual_seed(19)


def main(steps=60):
    model = SincClassifier(n_filters=10, kernel=33, sr=4000, n_classes=3)
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    hits = 0
    for step, (wave, y) in enumerate(tone_batches(steps, 12, 512, 4000)):
        logits = model(wave)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        hits += (logits.argmax(1) == y).sum().item()
        if step % 20 == 19:
            print(step + 1, round(loss.item(), 4), hits / (12 * (step + 1)))


if __name__ == "__main__":
    main()
