# gradwatch-corpus: kind=second-backward
# holder: self.state | net.state | stream.state | model.state
# first-bad: 1
# notice: 0
import torch
torch.set_num_threads(1)

from enhancer import StreamingEnhancer
from noise import noisy_stream

torch.manual_seed(23)
model = StreamingEnhancer(bins=17, hidden=24)
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)

for utt in range(20):
    model.reset_state(batch=4)
    for chunk, (noisy, clean) in enumerate(noisy_stream(chunks=25, frames=8, bins=17)):
        gain = model(noisy)
        loss = torch.nn.functional.mse_loss(gain * noisy, clean)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(utt, loss.item())
