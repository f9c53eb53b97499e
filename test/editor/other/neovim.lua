-- Run after the settings of docs/editors.md: opens a file, and says as lines of JSON what a user of Neovim would see.
local function say(kind, value)
  io.stdout:write(vim.fn.json_encode({ kind = kind, value = value }) .. "\n")
end

local function request(buffer, method, params)
  for _, response in pairs(vim.lsp.buf_request_sync(buffer, method, params, 60000) or {}) do
    if response.result then return response.result end
  end
end

local function diagnostics(buffer)
  local found = {}
  for _, item in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(found, {
      line = item.lnum + 1,
      column = item.col + 1,
      severity = item.severity,
      source = item.source,
      message = item.message,
    })
  end
  return found
end

local function run()
  vim.cmd("filetype on")
  vim.cmd("edit " .. vim.fn.fnameescape(vim.env.LSP_FILE))
  local buffer = vim.api.nvim_get_current_buf()
  say("filetype", vim.bo[buffer].filetype)
  vim.wait(60000, function() return #vim.diagnostic.get(buffer) > 0 end, 50)
  say("diagnostics", diagnostics(buffer))
  local first = vim.diagnostic.get(buffer)[1]
  if not first then return end

  local document = vim.lsp.util.make_text_document_params(buffer)
  local start = { line = first.lnum, character = first.col }
  local hover = request(buffer, "textDocument/hover", {
    textDocument = document,
    position = { line = first.lnum, character = first.col + 1 },
  })
  -- As Neovim shows it, with its own conversion.
  say("hover", vim.lsp.util.convert_input_to_markdown_lines(hover and hover.contents or {}))

  local range = { start = start, ["end"] = { line = first.end_lnum, character = first.end_col } }
  local actions = request(buffer, "textDocument/codeAction", {
    textDocument = document,
    range = range,
    context = { diagnostics = { {
      range = range,
      message = first.message,
      source = first.source,
      code = first.code or (first.user_data and first.user_data.lsp and first.user_data.lsp.code),
    } } },
  }) or {}
  local titles = {}
  for _, action in ipairs(actions) do table.insert(titles, action.title) end
  say("actions", titles)
  for _, action in ipairs(actions) do
    if action.title:find("^Ignore ") and action.edit then vim.lsp.util.apply_workspace_edit(action.edit, "utf-16") end
  end
  say("text", vim.api.nvim_buf_get_lines(buffer, first.lnum, first.lnum + 1, false)[1])
  local count = #vim.diagnostic.get(buffer)
  vim.wait(60000, function() return #vim.diagnostic.get(buffer) < count end, 50)
  say("after", diagnostics(buffer))
end

local ok, problem = pcall(run)
if not ok then say("problem", tostring(problem)) end
vim.lsp.stop_client(vim.lsp.get_active_clients())
vim.wait(10000, function() return #vim.lsp.get_active_clients() == 0 end)
vim.cmd("qa!")
