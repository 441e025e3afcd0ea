# gradwatch-corpus: kind=second-backward
# holder: self.storage | basin.storage | catchment.storage
# first-bad: 1
"""Runoff coefficients of a small catchment from gauge readings."""
import torch

from gauges import GaugeSeries
from reservoir import LinearReservoir, nash_sutcliffe


def calibrate(basin, series, optimizer, epochs):
    basin.fill(series.initial_storage())
    for epoch in range(epochs):
        optimizer.zero_grad()
        flow = basin.route(series.rain)
        cost = torch.mean((flow - series.flow) ** 2)
        cost.backward()
        optimizer.step()
        basin.clip_()
        if epoch % 20 == 0:
            print("epoch %3d  cost %.5f  NSE %.3f" % (epoch, cost.item(), nash_sutcliffe(flow, series.flow)))


if __name__ == "__main__":
    torch.manual_seed(4)
    gauges = GaugeSeries(days=8, cells=50)
    catchment = LinearReservoir(cells=50)
    calibrate(catchment, gauges, torch.optim.Adam(catchment.parameters(), lr=0.02), epochs=120)
