# gradwatch-corpus: kind=graph-held
# holder: self.rows | writer.rows | self.rows[-1]["roughness"] | writer.rows[-1]["roughness"] | row["roughness"] | logs["roughness"] | rows | row
# first-bad: 1
"""Winter wheat yield from daily weather: the network draws a growth curve, the yield is what is under it.

Experiment 3 of the regional model, without the soil covariates.
"""
import torch

from callbacks import CallbackList, HistoryWriter, LrDecay
from growth import GrowthNet, curve_terms
from weather import seasons

STEPS = 260


def train_on_season(model, optimizer, season):
    optimizer.zero_grad(set_to_none=True)
    curve = model(season["weather"], season["field"])
    terms = curve_terms(curve, season["yield"])
    objective = terms["fit"] + 0.05 * terms["roughness"] + 0.01 * terms["negative"]
    objective.backward()
    optimizer.step()
    return {
        "objective": objective.item(),
        "fit": terms["fit"].item(),
        "roughness": terms["roughness"],  # <- culprit
        "negative": terms["negative"].item(),
    }


def main():
    torch.manual_seed(2023)
    model = GrowthNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    writer = HistoryWriter()
    callbacks = CallbackList([writer, LrDecay(optimizer, every=100, factor=0.5)])

    callbacks.fire("on_train_begin")
    for step, season in enumerate(seasons(STEPS, seed=8)):
        logs = train_on_season(model, optimizer, season)
        callbacks.fire("on_step_end", step, logs)
        if step % 65 == 64:
            print(f"{step + 1:4d}  objective {logs['objective']:.4f}  fit {logs['fit']:.4f}")
    callbacks.fire("on_train_end")

    early, late = writer.mean("fit", 0, 40), writer.mean("fit", -40, None)
    print(f"fit: first 40 seasons {early:.4f}, last 40 seasons {late:.4f}")


if __name__ == "__main__":
    main()
