# gradwatch-corpus: kind=graph-held
# holder: self.by_field | book.by_field | self.by_field[fid]
# first-bad: 1
# notice: 8
"""Yield of maize plots from weekly weather and a soil sample."""
import torch

torch.set_num_threads(1)
torch.manual_seed(1207)

from agro_data import PlotTrials
from ledger import FieldBook


class YieldNet(torch.nn.Module):
    def __init__(self, n_weather=4, n_soil=5):
        super().__init__()
        self.season = torch.nn.Sequential(
            torch.nn.Conv1d(n_weather, 8, 3, padding=1),
            torch.nn.ReLU(),
            torch.nn.AdaptiveAvgPool1d(2),
            torch.nn.Flatten(),
        )
        self.soil = torch.nn.Linear(n_soil, 6)
        self.out = torch.nn.Linear(16 + 6, 1)

    def forward(self, weather, soil):
        z = torch.cat([self.season(weather), torch.tanh(self.soil(soil))], dim=1)
        return self.out(z).squeeze(1)


trials = PlotTrials(n_plots=96, n_fields=6, weeks=20)
net = YieldNet()
opt = torch.optim.AdamW(net.parameters(), lr=4e-3, weight_decay=1e-3)
sched = torch.optim.lr_scheduler.StepLR(opt, 10, 0.7)
book = FieldBook(trials.n_fields)

rmse_per_season = []
for season in range(25):
    sq = 0.0
    n = 0
    for weather, soil, field_id, tons in trials.batches(8):
        pred = net(weather, soil)
        resid = pred - tons
        loss = torch.nn.functional.huber_loss(pred, tons, delta=2.0)
        opt.zero_grad()
        loss.backward()
        opt.step()
        book.note(field_id, resid)
        sq += resid.detach().square().sum().item()
        n += len(tons)
    sched.step()
    rmse_per_season.append((sq / n) ** 0.5)
    if season % 5 == 4:
        worst, bias = book.most_biased()
        print(f"season {season:2d} rmse {rmse_per_season[-1]:.3f} t/ha, field {worst} off by {bias:+.2f}")

for line in book.summary():
    print(line)
