"""When a page has nothing left to do: what tests in a browser, and the checks of site and slides, wait for."""

# Run before the scripts of a page, it notes what they are going to do.
# Longer than 200 ms wait only announcements, resting fingers, slow steps of EM's player, and files to be forgotten.
SHOW_PENDING = """
    window.pending = new Set();
    for (const [start, stop] of [["setTimeout", "clearTimeout"], ["requestAnimationFrame", "cancelAnimationFrame"]]) {
        const [begin, end] = [window[start], window[stop]];
        window[start] = (act, wait = 0, ...given) => {
            const id = begin((...now) => { window.pending.delete(start + id); act(...now); }, wait, ...given);
            if (wait <= 200) window.pending.add(start + id);
            return id;
        };
        window[stop] = (id) => { window.pending.delete(start + id); end(id); };
    }"""

# Movements are over.
# Until there was nothing to do for two frames, because what is written may change the size, which draws again, and the
# page did not scroll on after a finger; at most a second of frames, as what is held waits for ever. What JupyterLab is
# going to do does not count: 16 frames do there.
SETTLED = """async () => {
    const lasts = ({ effect }) => effect.getComputedTiming().endTime === Infinity;
    for (const animation of document.getAnimations()) if (!lasts(animation)) animation.finish();
    const isBusy = (frame) => (window.pending ? window.pending.size > 0 : frame < 16);
    for (let frame = 1, quiet = 0; quiet < 2 && frame < 60; frame++) {
        const top = scrollY;
        await new Promise((done) => requestAnimationFrame(done));
        quiet = isBusy(frame) || scrollY !== top ? 0 : quiet + 1;
    }
}"""
