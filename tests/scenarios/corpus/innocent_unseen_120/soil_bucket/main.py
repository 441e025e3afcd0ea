# gradwatch-corpus: kind=none
"""Soil water balance of a field with learned evapotranspiration and drainage."""
import torch

torch.set_num_threads(1)
torch.manual_seed(18)

from bucket import Bucket
from weather import Station

SITES, WINDOW, YEARS = 5, 10, 14

bucket = Bucket(SITES)
truth = Bucket(SITES)
with torch.no_grad():
    for p in truth.parameters():
        p.add_(0.4 * torch.randn_like(p))
opt = torch.optim.Adam(bucket.parameters(), lr=0.01)
station = Station(SITES, seed=4)

skill = []
for year in range(YEARS):
    water = torch.full((SITES,), 0.5)
    reference = water.clone()
    misfit, days_in_window, year_sse = 0.0, 0, 0.0
    for day, (rain, temp) in enumerate(station.year(300)):
        with torch.no_grad():
            reference = truth(reference, rain, temp)
        water = bucket(water, rain, temp)
        misfit = misfit + (water - reference).square().mean()
        days_in_window += 1
        if days_in_window == WINDOW:
            opt.zero_grad()
            misfit.backward()
            opt.step()
            year_sse += misfit.item()
            water = water.detach()
            misfit, days_in_window = 0.0, 0
    skill.append(year_sse / 300)
    if year % 3 == 2:
        print(f"year {year + 1}: rmse {skill[-1] ** 0.5:.4f} mm/mm")
