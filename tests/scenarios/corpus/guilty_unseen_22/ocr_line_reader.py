# gradwatch-corpus: kind=graph-held
# holder: avg | smooth.avg | smooth | smooth.__closure__ | make_smoother.avg | make_smoother.<locals>.smooth
# first-bad: 1
"""Week 9: reading a line of digits with CTC. The lines are drawn by us, so the whole lesson fits in one file."""
import torch
import torch.nn as nn
import torch.nn.functional as F

BLANK = 0
N_SYMBOLS = 11            # ten digits and the blank
HEIGHT, CELL = 8, 6       # every digit is a cell of 8 x 6 pixels


def draw_font(gen):
    """One bitmap for each digit."""
    return (torch.rand(10, HEIGHT, CELL, generator=gen) > 0.5).float()


def draw_lines(font, n, length, gen):
    """n images of `length` digits each, and the digits."""
    digits = torch.randint(0, 10, (n, length), generator=gen)
    image = torch.cat([font[digits[:, i]] for i in range(length)], dim=2)
    image = image + 0.3 * torch.randn(image.shape, generator=gen)
    return image, digits + 1


def build_reader(hidden=32):
    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.columns = nn.Conv1d(HEIGHT, hidden, kernel_size=5, stride=2, padding=2)
            self.context = nn.Conv1d(hidden, hidden, kernel_size=5, padding=2)
            self.symbols = nn.Conv1d(hidden, N_SYMBOLS, kernel_size=1)

        def forward(self, image):
            h = torch.relu(self.columns(image))
            h = torch.relu(self.context(h))
            return F.log_softmax(self.symbols(h), dim=1).permute(2, 0, 1)   # time, batch, symbol

    return Reader()


def ctc(log_probs, target):
    time, batch, _ = log_probs.shape
    return F.ctc_loss(log_probs, target,
                      torch.full((batch,), time), torch.full((batch,), target.shape[1]),
                      blank=BLANK, zero_infinity=True)


def best_path(log_probs):
    """Greedy decoding: collapse repeats, drop blanks."""
    texts = []
    for row in log_probs.argmax(2).t().tolist():
        text, last = [], BLANK
        for s in row:
            if s != last and s != BLANK:
                text.append(s)
            last = s
        texts.append(text)
    return texts


def make_smoother(beta=0.95):
    """Returns a function that turns a noisy series into its bias-corrected moving average."""
    avg, n = 0.0, 0

    def smooth(value):
        nonlocal avg, n
        n += 1
        avg = beta * avg + (1 - beta) * value  # <- culprit
        return avg / (1 - beta ** n)

    return smooth


def train_one_batch(model, optimizer, image, target):
    loss = ctc(model(image), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss  # <- culprit


@torch.no_grad()
def exact_match(model, font, gen):
    image, target = draw_lines(font, 64, 5, gen)
    texts = best_path(model(image))
    return sum(t == want for t, want in zip(texts, target.tolist())) / len(texts)


def main(steps=300):
    torch.manual_seed(9)
    gen = torch.Generator().manual_seed(9)
    font = draw_font(gen)
    model = build_reader()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    smooth = make_smoother()

    for step in range(1, steps + 1):
        image, target = draw_lines(font, 16, 5, gen)
        loss = train_one_batch(model, optimizer, image, target)
        shown = smooth(loss)  # <- culprit
        if step % 100 == 0:
            print(f"step {step}: loss about {shown:.3f}, lines read right {exact_match(model, font, gen):.0%}")


if __name__ == "__main__":
    main()
