# gradwatch-corpus: kind=second-backward
# holder: phi
# first-bad: 40
# notice: 0
# Converted from wine_panel_v3.ipynb: overall liking as a response surface over sensory attributes.
import torch

from fitting import adam_phase, polish_phase, report
from panel import load_panel
from surface import LikingSurface

torch.set_num_threads(1)

# --- cell 2: settings
SEED = 412
EPOCHS = 8
BATCH = 60
POLISH_STEPS = 10

if __name__ == "__main__":
    torch.manual_seed(SEED)

    # --- cell 3: data
    panel = load_panel(n_wines=60, n_tasters=6)
    print("ratings:", len(panel.liking), "attributes:", panel.scores.shape[1])

    # --- cell 5: model
    model = LikingSurface(panel.scores.shape[1], n_tasters=6)

    # --- cell 6: coarse fit
    curve = adam_phase(model, panel, epochs=EPOCHS, batch=BATCH)
    print("coarse:", [round(v, 3) for v in curve[:: max(1, len(curve) // 6)]])

    # --- cell 7: polish on the whole panel
    curve += polish_phase(model, panel, steps=POLISH_STEPS)

    # --- cell 9
    report(model, panel)
