// A PNG that says what it shows.

/** The bytes of a PNG with a description, as an iTXt chunk behind its header. */
export function describedPNG(bytesOfPNG, description) {
  const png = Uint8Array.from(bytesOfPNG), bytes = (text) => new TextEncoder().encode(text);
  const header = 33; // bytes of signature and first chunk
  // Keyword, not compressed, no language, no translated keyword, text.
  const content = [...bytes("iTXt"), ...bytes("Description"), 0, 0, 0, 0, 0, ...bytes(description)];
  const chunk = [...bigEndian(content.length - 4), ...content, ...bigEndian(checksum(content))];
  const whole = new Uint8Array(png.length + chunk.length);
  whole.set(png.subarray(0, header));
  whole.set(chunk, header);
  whole.set(png.subarray(header), header + chunk.length);
  return whole;
}

const bigEndian = (value) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);

/** CRC-32, as PNG wants it. */
function checksum(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}
