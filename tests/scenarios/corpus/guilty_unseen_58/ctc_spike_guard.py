# gradwatch-corpus: kind=second-backward
# first-bad: 47
"""CTC acoustic model; noisy utterances sometimes give huge gradients, these get damped."""
import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB, MELS, FRAMES = 10, 16, 40


class AcousticModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(MELS, 32, 5, stride=2, padding=2)
        self.context = nn.Conv1d(32, 32, 5, padding=2)
        self.out = nn.Linear(32, VOCAB + 1)

    def forward(self, mel):
        x = F.relu(self.context(F.relu(self.conv(mel.transpose(1, 2)))))
        return self.out(x.transpose(1, 2)).log_softmax(-1)


def load_utterances(n_batches, batch=8, seed=9):
    g = torch.Generator().manual_seed(seed)
    proto = torch.randn(VOCAB + 1, MELS, generator=g)
    for b in range(n_batches):
        text = torch.randint(1, VOCAB + 1, (batch, 5), generator=g)
        mel = proto[text].repeat_interleave(FRAMES // 5, dim=1)
        mel = mel + 0.3 * torch.randn(mel.shape, generator=g)
        if b % 60 == 47:
            mel = mel * 80.0  # clipped microphone
        yield mel, text


def grad_norm(model):
    return torch.stack([p.grad.norm() for p in model.parameters() if p.grad is not None]).norm().item()


def ctc(logp, text):
    n, t, _ = logp.shape
    return F.ctc_loss(logp.transpose(0, 1), text, torch.full((n,), t), torch.full((n,), text.size(1)))


def train_step(model, opt, mel, text, limit):
    loss = ctc(model(mel), text)
    opt.zero_grad()
    loss.backward()  # <- culprit
    norm = grad_norm(model)
    if norm > limit:
        # take a careful step instead of skipping the utterances
        opt.zero_grad()
        (loss * (limit / norm)).backward()  # <- culprit
    opt.step()
    return loss.item(), norm


def main():
    torch.manual_seed(9)
    torch.set_num_threads(1)
    model = AcousticModel()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for i, (mel, text) in enumerate(load_utterances(120)):
        loss, norm = train_step(model, opt, mel, text, limit=60.0)
        if i % 10 == 0 or norm > 20:
            print(f"[{i:3d}] ctc {loss:.3f} |g| {norm:.2f}")


if __name__ == "__main__":
    main()
