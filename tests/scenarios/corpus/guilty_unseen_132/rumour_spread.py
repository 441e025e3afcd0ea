# gradwatch-corpus: kind=inplace-modified
# holder: belief
# first-bad: 0
# notice: 0
"""Opinion dynamics on a village network: fit who listens to whom from survey waves."""
import torch

torch.set_num_threads(1)
torch.manual_seed(88)

PEOPLE, WAVES = 8, 6


def simulate(trust, first, waves):
    belief = torch.zeros(first.shape[0], waves, PEOPLE)
    belief[:, 0] = first
    for w in range(1, waves):
        heard = belief[:, w - 1] @ trust
        belief[:, w] = torch.tanh(heard)  # <- culprit
    return belief


class Village(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.raw = torch.nn.Parameter(0.2 * torch.randn(PEOPLE, PEOPLE))

    def forward(self, first):
        return simulate(torch.softmax(self.raw, dim=0) * 1.5, first, WAVES)


def survey(n=30):
    hidden = torch.softmax(2 * torch.randn(PEOPLE, PEOPLE), dim=0) * 1.5
    first = torch.randn(n, PEOPLE)
    rows = [first]
    for _ in range(WAVES - 1):
        rows.append(torch.tanh(rows[-1] @ hidden))
    return first, torch.stack(rows, 1)


first, answers = survey()
village = Village()
optimiser = torch.optim.Adam(village.parameters(), lr=0.02)
for sweep in range(200):
    optimiser.zero_grad()
    gap = (village(first) - answers).square().mean()
    gap.backward()
    optimiser.step()
    if sweep % 40 == 0:
        print(sweep, gap.item())
